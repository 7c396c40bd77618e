"""`manage.py drive --run ID`: what the agent starts for each run."""

import signal
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from runner.jobs import tasks
from runner.jobs.database import impatient
from runner.jobs.drive import Drive
from runner.jobs.models import Run

SEND_SECONDS = 2.0


class Command(BaseCommand):
    help = "Carry out one run: hold its lease, own its process, report how it goes. The agent calls it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--run", type=int, required=True, help="Id of a run that is starting.")

    def handle(self, *args: Any, run: int, **options: Any) -> None:
        impatient()
        drive = Drive(Run.objects.select_related("job").get(id=run))
        signal.signal(signal.SIGTERM, lambda *_: drive.leave())
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if not drive.carry_out():
            self.stderr.write(f"Run {run} is taken or over.")
            sys.exit(3)
        tasks.ask(drive.run.job_id, daemon=True).join(SEND_SECONDS)
