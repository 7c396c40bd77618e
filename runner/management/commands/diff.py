"""`manage.py diff flight-delays 3 5`"""

from typing import Any

from django.core.management.base import CommandParser

from designer.projects.roles import VIEWER
from designer.projects.services import get_draft_or_version
from designer.topology.differences import compare
from runner.control.jobs.command import JobCommand, get_topology


class Command(JobCommand):
    needs = VIEWER
    help = "Print what two versions of a topology differ in. Without a difference it prints nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("topology", help="Slug, name or id of a topology.")
        parser.add_argument("before", help="Number of the earlier version.")
        parser.add_argument("after", nargs="?", default="draft", help="Number of the later one. Default: the draft.")

    def act(self, **options: Any) -> None:
        topology = get_topology(options["topology"], self.user(options["by"]))
        before, after = (get_draft_or_version(topology, options[each]).read_graph() for each in ("before", "after"))
        if difference := compare(before, after):
            self.stdout.write(difference.text())
