"""`manage.py export --all drawings`"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from designer.exchange import write_file
from designer.models import Topology
from designer.rights.wall import projects_seen
from designer.services import export_for_git
from runner.control.jobs.command import JobCommand, topology_of


class Command(JobCommand):
    help = "Write topologies as files for version control. The same drawing always gives the same text."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("topology", nargs="?", help="Slug, name or id of a topology. It is printed.")
        parser.add_argument("--all", type=Path, metavar="DIR", help="Write each topology to DIR/<slug>.json.")

    def act(self, **options: Any) -> None:
        folder: Path | None = options["all"]
        if (folder is None) == (options["topology"] is None):
            raise CommandError("Name one topology, or a folder with `--all`.")
        if folder is None:
            topology = topology_of(options["topology"], self.user(options["by"]))
            self.stdout.write(write_file(export_for_git(topology=topology)), ending="")
            return
        folder.mkdir(parents=True, exist_ok=True)
        seen = projects_seen(self.user(options["by"]))
        for topology in Topology.objects.filter(project__in=seen).select_related("draft"):
            path = folder / f"{topology.slug}.json"
            path.write_text(write_file(export_for_git(topology=topology)))
            self.stdout.write(str(path))
