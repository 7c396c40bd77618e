"""`manage.py diff flight-delays 3 5`"""

from typing import Any

from designer.projects.roles import VIEWER
from designer.projects.services import get_draft_or_version
from designer.topology.differences import compare
from runner.control.jobs.command import get_topology
from runner.management.shared import SharedCommand


class Command(SharedCommand):
    needs = VIEWER

    def act(self, **options: Any) -> None:
        topology = get_topology(options["topology"], self.user(options["by"]))
        before, after = (get_draft_or_version(topology, options[each]).read_graph() for each in ("before", "after"))
        if difference := compare(before, after):
            self.stdout.write(difference.text())
