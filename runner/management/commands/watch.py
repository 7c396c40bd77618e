"""`manage.py watch flight-delays`: a line whenever the numbers or the status change."""

import time
from typing import Any

from designer.projects.roles import VIEWER
from runner.control.jobs.services import get_job_named
from runner.management.shared import SharedCommand
from runner.watch.live import snapshot
from runner.watch.live.tables import describe_lost, is_new, write_line


class Command(SharedCommand):
    needs = VIEWER

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
