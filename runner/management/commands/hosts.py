"""`manage.py hosts --drain NAME`"""

from typing import Any

from django.core.management.base import CommandParser

from designer.command_line import MANAGE
from runner.control.clusters.permissions import CLUSTERS
from runner.control.hosts import services
from runner.control.jobs import hosts
from runner.control.jobs.command import JobCommand
from runner.control.jobs.text import align

HEAD = ("host", "agent", "cores", "memory", "version", "jobs")
GIB = 2**30


class Command(JobCommand):
    needs = CLUSTERS
    help = "Show the hosts that execute runs. Drain one before maintenance: its jobs then move to other hosts."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        group = parser.add_mutually_exclusive_group()
        group.add_argument("--drain", metavar="NAME", help="Drain this host: its jobs move, and it gets no new run.")
        group.add_argument("--take-back", metavar="NAME", help="Let a drained host take runs again.")
        group.add_argument("--forget", metavar="NAME", help="Forget a host that has no agent.")

    def act(self, **options: Any) -> None:
        by = self.user(options["by"])
        for service in (services.drain, services.take_back, services.forget):
            if name := options[service.__name__]:
                service(host=services.get_host(name), by=by)
        rows = [_make_row(state) for state in services.read_hosts()]
        self.stdout.write(
            align([HEAD, *rows]) if rows else f"There is no host yet. Start an agent with `{MANAGE} agent`."
        )
        if others := hosts.find_outdated():
            refusal = hosts.HostOutdated(*others)
            self.stdout.write(f"{refusal.message} {refusal.hint}")


def _make_row(state: services.HostState) -> tuple[str, ...]:
    """A host as a line of output."""
    host, is_alive, runs, _ = state
    lives = "running" if is_alive else f"gone since {host.beat_at:%Y-%m-%d %H:%M:%S}"
    jobs = ", ".join(run.job.name for run in runs) or "-"
    agent = f"{lives}, draining" if host.draining else lives
    return host.name, agent, str(host.cores), f"{host.memory_bytes / GIB:.1f} GiB", host.version, jobs
