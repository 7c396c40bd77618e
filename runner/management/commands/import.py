"""`manage.py import --all topologies`"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from designer.projects.models import Topology
from designer.projects.roles import EDITOR
from designer.projects.services import import_topology, take_over
from runner.control.jobs.command import JobCommand, find_exported_topology, get_place, read_json


class Command(JobCommand):
    needs = EDITOR
    help = (
        "Read topologies from files. A topology that its file changes gets a new version; the others stay as they "
        "are. If one file is wrong, none is read."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("files", nargs="*", type=Path, help="Exported topologies.")
        parser.add_argument("--all", type=Path, metavar="DIR", help="Read every .json file of DIR.")
        parser.add_argument("--message", default="", help="Message for versions whose file has none.")

    def names_of(self, **options: Any) -> list[tuple[str, Any]]:
        return [get_place(find_meant_topology(path, export)) for path, export in read_exports(options)]

    def act(self, **options: Any) -> None:
        by = self.user(options["by"])
        with transaction.atomic():
            lines = [f"{path}: {take(path, export, by, options['message'])}" for path, export in read_exports(options)]
        self.stdout.write("\n".join(lines))


def read_exports(options: dict[str, Any]) -> list[tuple[Path, Any]]:
    """The files in the command line, with their content. Raises CommandError."""
    folder: Path | None = options["all"]
    files: list[Path] = [*options["files"], *(sorted(folder.glob("*.json")) if folder else ())]
    if not files:
        raise CommandError(f"There is no .json file in {folder}." if folder else "Name a file, or a folder.")
    return [(path, read_json(path)) for path in files]


def find_meant_topology(path: Path, export: Any) -> Topology | None:
    """The file's name identifies the topology, else the name in it."""
    return Topology.objects.filter(slug=path.stem).first() or find_exported_topology(export)


def take(path: Path, export: Any, by: Any, message: str) -> str:
    """Imports one export, and returns the result in words."""
    topology = find_meant_topology(path, export)
    if topology is None:
        new_topology = import_topology(export=export, by=by)
        take_over(topology=new_topology, export=export, by=by, message=message)
        return f"new topology {new_topology.slug}, version 1"
    version = take_over(topology=topology, export=export, by=by, message=message)
    return f"version {version.number}" if version else "unchanged"
