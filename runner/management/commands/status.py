"""`manage.py status [job]`"""

from typing import Any

from django.core.management.base import CommandParser

from designer.projects.permissions import find_projects_seen
from designer.projects.roles import VIEWER
from runner.control.jobs.command import JobCommand
from runner.control.jobs.models import Job
from runner.control.jobs.services import get_job_named
from runner.watch.live import snapshot
from runner.watch.live.tables import write_details, write_jobs_table


class Command(JobCommand):
    needs = VIEWER
    help = "Show the status of all jobs. With a name, show the numbers of each node of that job."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("job", nargs="?", help="Name of a job.")

    def act(self, **options: Any) -> None:
        one = get_job_named(options["job"]) if options["job"] else None
        visible_jobs = Job.objects.filter(topology__project__in=find_projects_seen(self.user(options["by"])))
        jobs = [one] if one else list(visible_jobs.select_related("version").order_by("name"))
        rows = [(job.name, job.version.number, snapshot.read(job)) for job in jobs]
        self.stdout.write(
            write_jobs_table(rows) if rows else "There is no job yet. Deploy one with `manage.py deploy`."
        )
        if one:
            self.stdout.write(write_details(rows[0][2]))
