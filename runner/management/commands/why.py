"""`manage.py why JOB NODE`"""

from typing import Any

from django.core.management.base import CommandParser

from designer.projects.roles import VIEWER
from runner.control.jobs.command import JobCommand
from runner.control.jobs.services import get_job_named
from runner.watch.why.lines import describe_answer
from runner.watch.why.services import explain_job


class Command(JobCommand):
    needs = VIEWER
    help = "Say why nothing comes out of a node of a job, from its live numbers and its state."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("job", help="Name of a job.")
        parser.add_argument("node", help="Id of a node, as the canvas shows it.")

    def act(self, **options: Any) -> None:
        answer = explain_job(job=get_job_named(options["job"]), node=options["node"])
        self.stdout.write(describe_answer(answer, options["node"]))
