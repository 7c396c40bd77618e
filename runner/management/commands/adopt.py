"""`manage.py adopt word-count word-count-app --check`"""

from typing import Any

from designer.projects.roles import OPERATOR
from runner.control.jobs import services
from runner.control.jobs.command import get_topology
from runner.control.jobs.schemas import StreamsApplicationOut
from runner.control.jobs.targets import Wish
from runner.control.jobs.text import describe_application, describe_comparison
from runner.management.shared import SharedCommand


class Command(SharedCommand):
    needs = OPERATOR

    def act(self, **options: Any) -> None:
        by = self.user(options["by"])
        topology, application, stores = get_topology(options["topology"], by), options["application"], options["store"]
        wish = Wish(options["name"], dict(options["set"]), options["cluster"], options["spark"])
        if options["compare"]:
            report = services.compare_with_application(
                origin=topology.draft,
                by=by,
                application=application,
                stores=dict(stores),
                wish=wish,
                live_seconds=min(options["live"], 120.0),
            )
            self.stdout.write(describe_comparison(report.model_dump()))
            if not report.is_equal:
                raise SystemExit(1)
            return
        if options["check"]:
            found = services.look_at_application(
                origin=topology.draft, application=application, stores=dict(stores), wish=wish
            )
            self.stdout.write(describe_application(StreamsApplicationOut.from_orm(found).model_dump()))
            if found.problems:
                raise SystemExit(1)
            return
        job = services.adopt(by=by, topology=topology, application=application, stores=dict(stores), wish=wish)
        self.stdout.write(f"Job {job.name} continues {application} as version {job.version.number} of {topology}.")
