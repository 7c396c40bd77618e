"""`manage.py export --all topologies`"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from designer.projects.exchange import write_file
from designer.projects.models import Topology
from designer.projects.permissions import find_projects_seen
from designer.projects.roles import VIEWER
from designer.projects.services import export_for_git
from runner.control.jobs.command import JobCommand, get_topology
from runner.export.java.services import export_java


class Command(JobCommand):
    needs = VIEWER
    help = (
        "Write topologies as files for version control. The same topology always gives the same text. "
        "Or write one as a Maven project for Kafka Streams."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("topology", nargs="?", help="Slug, name or id of a topology to print.")
        parser.add_argument("--all", type=Path, metavar="DIR", help="Write each topology to DIR/<slug>.json.")
        parser.add_argument("--java", type=Path, metavar="ZIP", help="Write the topology as a Maven project to ZIP.")

    def act(self, **options: Any) -> None:
        folder: Path | None = options["all"]
        if (folder is None) == (options["topology"] is None):
            raise CommandError("Name one topology, or a folder with `--all`.")
        if folder is not None and options["java"] is not None:
            raise CommandError("`--java` writes one topology: name it, and leave out `--all`.")
        if folder is None:
            topology = get_topology(options["topology"], self.user(options["by"]))
            if options["java"] is not None:
                self.write_java(topology, options["java"])
                return
            self.stdout.write(write_file(export_for_git(topology=topology)), ending="")
            return
        folder.mkdir(parents=True, exist_ok=True)
        project_ids = find_projects_seen(self.user(options["by"]))
        for topology in Topology.objects.filter(project__in=project_ids).select_related("draft"):
            path = folder / f"{topology.slug}.json"
            path.write_text(write_file(export_for_git(topology=topology)))
            self.stdout.write(str(path))

    def write_java(self, topology: Topology, path: Path) -> None:
        """Writes the project, and lists the missing parts of each node."""
        project = export_java(topology)
        path.write_bytes(project.to_zip())
        self.stdout.write(str(path))
        for note in project.notes:
            self.stderr.write(f"{note.node}: {note.message}")
