"""`manage.py dead-letters JOB`"""

from typing import Any

from django.core.management.base import CommandParser

from designer.projects.roles import VIEWER
from runner.control.jobs.command import JobCommand
from runner.control.jobs.services import get_job_named
from runner.control.jobs.text import align
from runner.watch.dead_letters.groups import Filter
from runner.watch.dead_letters.services import look


class Command(JobCommand):
    needs = VIEWER
    help = "Show a job's dead letters by node and reason: how many there are, and how many were not sent back yet."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("job", help="Name of a job.")
        parser.add_argument("--node", help="Only dead letters of this node.")
        parser.add_argument("--search", default="", help="Only those with this text in the key, value or reason.")

    def act(self, **options: Any) -> None:
        choice = Filter(node=options["node"], search=options["search"])
        overview = look(job=get_job_named(options["job"]), choice=choice)
        groups = sorted(overview.grouping.groups.values(), key=lambda each: -each.count)
        rows = [[each.node or "", f"{each.count:,}", f"{each.waiting:,}", each.reason] for each in groups]
        self.stdout.write(align([["NODE", "COUNT", "WAITING", "REASON"], *rows]) if rows else "No dead letters.")
        if not overview.read["is_all"]:
            self.stdout.write(f"Read the newest {overview.read['letters']:,} of about {overview.read['offsets']:,}.")
