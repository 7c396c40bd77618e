"""`manage.py deploy flight-delays --set batch_interval_ms=500`"""

from typing import Any

from designer.projects.roles import OPERATOR
from runner.control.jobs import services
from runner.control.jobs.command import get_topology
from runner.control.jobs.statuses import OnState
from runner.control.jobs.targets import Wish
from runner.control.jobs.text import describe_preview
from runner.management.shared import SharedCommand


class Command(SharedCommand):
    needs = OPERATOR

    def act(self, **options: Any) -> None:
        by = self.user(options["by"])
        topology = get_topology(options["topology"], by)
        wish = Wish(options["name"], dict(options["set"]), options["cluster"], options["spark"])
        if options["preview"]:
            self.stdout.write(describe_preview(services.preview_deploy(origin=topology.draft, wish=wish).to_json()))
            return
        on_state = OnState(options["on_state"]) if options["on_state"] else None
        job = services.deploy(by=by, topology=topology, message=options["message"], on_state=on_state, wish=wish)
        self.stdout.write(f"Job {job.name} will run version {job.version.number} of {job.topology}.")
        if job.spark is not None and (room := services.preview_deploy(origin=job.version, wish=Wish(job.name)).room):
            self.stdout.write(room)
