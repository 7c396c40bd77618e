"""`manage.py why JOB NODE`"""

from typing import Any

from designer.projects.roles import VIEWER
from runner.control.jobs.services import get_job_named
from runner.management.shared import SharedCommand
from runner.watch.why.lines import describe_answer
from runner.watch.why.services import explain_job


class Command(SharedCommand):
    needs = VIEWER

    def act(self, **options: Any) -> None:
        answer = explain_job(job=get_job_named(options["job"]), node=options["node"])
        self.stdout.write(describe_answer(answer, options["node"]))
