"""`manage.py case orders "a refund" orders-3@18811`"""

from typing import Any

from designer.projects.roles import EDITOR
from runner.control.jobs.services import get_job_named
from runner.management.shared import SharedCommand
from runner.watch.past.cases import make_case_of_records


class Command(SharedCommand):
    needs = EDITOR

    def act(self, **options: Any) -> None:
        made = make_case_of_records(
            job=get_job_named(options["job"]),
            name=options["name"],
            records=[(each["topic"], each["partition"], each["offset"]) for each in options["record"]],
            batch=options["batch"],
            by=self.user(options["by"]),
        )
        for line in (f"{made.case.name} is kept.", *made.notes):
            self.stdout.write(line)
