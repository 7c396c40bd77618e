"""`manage.py back orders`"""

from typing import Any

from designer.projects.roles import OPERATOR
from runner.control.jobs import services
from runner.control.jobs.text import describe_cut_over
from runner.management.shared import SharedCommand


class Command(SharedCommand):
    needs = OPERATOR

    def act(self, **options: Any) -> None:
        job, by = services.get_job_named(options["job"]), self.user(options["by"])
        if options["preview"]:
            cut_over = services.describe_cut_over(job)
            self.stdout.write(describe_cut_over(None if cut_over is None else cut_over.model_dump()))
            return
        job = services.back(job=job, by=by, is_at_once=options["at_once"])
        self.stdout.write(f"Version {job.version.number} of {job.topology} takes over again in job {job.name}.")
