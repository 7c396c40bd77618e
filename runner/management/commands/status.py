"""`manage.py status [job]`"""

from typing import Any

from designer.command_line import MANAGE
from designer.projects.permissions import find_projects_seen
from designer.projects.roles import VIEWER
from runner.control.jobs.models import Job
from runner.control.jobs.services import get_job_named
from runner.management.shared import SharedCommand
from runner.watch.live import snapshot
from runner.watch.live.tables import write_details, write_jobs_table


class Command(SharedCommand):
    needs = VIEWER

    def act(self, **options: Any) -> None:
        one = get_job_named(options["job"]) if options["job"] else None
        visible_jobs = Job.objects.filter(topology__project__in=find_projects_seen(self.user(options["by"])))
        jobs = [one] if one else list(visible_jobs.select_related("version").order_by("name"))
        states = snapshot.read_all(jobs)
        rows = [(job.name, job.version.number, state) for job, state in zip(jobs, states, strict=True)]
        self.stdout.write(
            write_jobs_table(rows) if rows else f"There is no job yet. Deploy one with `{MANAGE} deploy`."
        )
        if one:
            self.stdout.write(write_details(rows[0][2]))
