"""`manage.py stop flight-delays`"""

import time
from typing import Any

from django.core.management.base import CommandParser

from designer.projects.roles import OPERATOR
from runner.control.jobs import services
from runner.management.shared import SharedCommand


class Command(SharedCommand):
    needs = OPERATOR

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--wait", type=float, default=30.0, help="Seconds to wait for the end. Default: 30.")

    def act(self, **options: Any) -> None:
        job = services.stop(job=services.get_job_named(options["job"]), by=self.user(options["by"]))
        deadline = time.monotonic() + options["wait"]
        while job.find_live_run() is not None and time.monotonic() < deadline:
            time.sleep(0.2)
        over = job.find_live_run() is None
        self.stdout.write(f"Job {job.name} is stopped." if over else f"Job {job.name} is still finishing its batch.")
