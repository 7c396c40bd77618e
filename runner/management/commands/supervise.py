"""`manage.py supervise`: the agent starts it for each run, or ahead of one."""

import signal
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connection

from designer.projects.roles import SERVER
from runner.control.hosts.database import limit_waits
from runner.control.hosts.run_supervisor import RunSupervisor
from runner.control.hosts.standby import Standby
from runner.control.jobs import tasks
from runner.control.jobs.models import Run

SEND_SECONDS = 2.0


class Command(BaseCommand):
    needs = SERVER
    help = "Execute one run: hold its lease, own its process and report its progress. The agent calls this command."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        group = parser.add_mutually_exclusive_group(required=True)
        group.add_argument("--run", type=int, help="Id of a run that is starting.")
        group.add_argument("--ahead", action="store_true", help="Prepare, then read a run's id from standard input.")

    def handle(self, *args: Any, run: int | None, ahead: bool, **options: Any) -> None:
        limit_waits()
        standby = Standby() if ahead else None
        connection.close()
        try:
            number = run if standby is None else standby.wait_for_run()
            if number is not None:
                self.carry_out(number, standby)
        finally:
            if standby is not None:
                standby.close()

    def carry_out(self, run: int, standby: Standby | None) -> None:
        supervisor = RunSupervisor(Run.objects.select_related("job").get(id=run), standby)
        signal.signal(signal.SIGTERM, lambda *_: supervisor.leave())
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if standby is not None:
            standby.hurry()
        if not supervisor.carry_out():
            self.stderr.write(f"Run {run} has another driver or has ended.")
            sys.exit(3)
        tasks.ask(supervisor.run.job_id, daemon=True).join(SEND_SECONDS)
