"""`manage.py deploy flight-delays --set batch_interval_ms=500`"""

from typing import Any

from designer.projects.models import Version
from designer.projects.roles import OPERATOR
from designer.projects.services import get_draft_or_version
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
        origin = get_draft_or_version(topology, options["version_number"] or "draft")
        if options["preview"]:
            self.stdout.write(describe_preview(services.preview_deploy(origin=origin, wish=wish).to_json()))
            return
        on_state = OnState(options["on_state"]) if options["on_state"] else None
        chosen = {"version": origin} if isinstance(origin, Version) else {"topology": topology}
        job = services.deploy(by=by, message=options["message"], on_state=on_state, wish=wish, **chosen)
        self.stdout.write(f"Job {job.name} will run version {job.version.number} of {job.topology}.")
        if job.spark is not None and (room := services.preview_deploy(origin=job.version, wish=Wish(job.name)).room):
            self.stdout.write(room)
