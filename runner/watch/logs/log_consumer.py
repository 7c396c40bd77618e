"""The websocket that follows the log of a run."""

from __future__ import annotations

import asyncio

from channels.db import database_sync_to_async
from django.conf import settings

from designer.projects.roles import VIEWER
from designer.refusals import NotFound
from runner.control.jobs.models import Run
from runner.control.jobs.services import get_job
from runner.watch.logs.log_tail import Log, LogTail
from runner.watch.sockets.tailing import TailConsumer

LOOK_SECONDS = 2.0


class LogConsumer(TailConsumer):
    """The log of the run with the number in the address. Without one, that of the newest run and of each later one."""

    address = "/ws/jobs/{job_id}/log/"
    needs = VIEWER

    async def open(self) -> LogTail:
        self.log_tail = LogTail(await self._find_log())
        if "run" not in self.question:
            self.work(self._follow_runs())
        return self.log_tail

    async def _follow_runs(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            self.log_tail.log = await self._find_log()

    @database_sync_to_async  # type: ignore[untyped-decorator]
    def _find_log(self) -> Log | None:
        job = get_job(int(self.arguments["job_id"]))
        if "run" not in self.question:
            newest = job.find_last_run()
            return find_log(newest) if newest else None
        number = self.question["run"]
        is_number = number.isdecimal() and len(number) < 10
        run = job.runs.filter(generation=int(number)).first() if is_number else None
        if run is None:
            raise NotFound(
                f"Job `{job.name}` has no run {number[:80]}.", "List the job's runs to see the existing ones."
            )
        return find_log(run)


def find_log(run: Run) -> Log:
    """The place of the agent's and the supervisor's output for a run."""
    return Log(run.id, run.generation, run.host if run.host != settings.HOST else None)
