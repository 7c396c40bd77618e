"""`manage.py describe flight-delays`"""

from typing import Any

from designer.projects.roles import VIEWER
from runner.control.jobs import services
from runner.control.jobs.command import get_topology
from runner.control.jobs.targets import Wish
from runner.management.shared import SharedCommand


class Command(SharedCommand):
    needs = VIEWER

    def act(self, **options: Any) -> None:
        topology = get_topology(options["topology"], self.user(options["by"]))
        preview = services.preview_deploy(origin=topology.draft, wish=Wish(cluster=options["cluster"]))
        self.stdout.write(preview.description)
