"""`manage.py agent`: the service that owns the runs of its host."""

import fcntl
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from designer.projects.roles import SERVER
from designer.refusals import Conflict
from runner.control.hosts.agent import Agent
from runner.control.hosts.database import limit_waits
from runner.control.jobs.hosts import refuse_taken
from runner.control.processes import read_boot_id


class Command(BaseCommand):
    needs = SERVER
    help = "Start, watch and end the runs of this host. Each host has one agent."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        agent = Agent()
        settings.HOME.mkdir(parents=True, exist_ok=True)
        with (settings.HOME / f"agent-{agent.host}.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CommandError(f"An agent already runs on {agent.host}. Stop it first, or keep using it.") from None
            limit_waits()
            try:
                refuse_taken(agent.host, read_boot_id())
            except Conflict as refusal:
                raise CommandError(f"{refusal.message} {refusal.hint}") from None
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: agent.stop())
            self.stdout.write(f"The agent of {agent.host} is ready.")
            agent.run()
