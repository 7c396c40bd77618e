"""`manage.py watch flight-delays`: a line whenever the numbers or the status change."""

import time
from typing import Any

from django.core.management.base import CommandParser

from designer.projects.roles import VIEWER
from runner.control.jobs.command import JobCommand
from runner.control.jobs.services import get_job_named
from runner.watch.live import snapshot
from runner.watch.live.tables import describe_lost, is_new, write_line


class Command(JobCommand):
    needs = VIEWER
    help = "Show a job's live numbers, a line for each change, until Ctrl-C."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("job", help="Name of the job.")
        parser.add_argument("--seconds", type=float, default=float("inf"), help="End after this many seconds.")

    def act(self, **options: Any) -> None:
        deadline, before = time.monotonic() + options["seconds"], None
        try:
            while time.monotonic() < deadline:
                state = snapshot.read(get_job_named(options["job"]))
                if before is None or is_new(state, before):
                    self.stdout.write("\n".join([*describe_lost(state, before), write_line(state)]))
                    self.stdout.flush()
                    before = state
                time.sleep(0.5)
        except KeyboardInterrupt:
            return
