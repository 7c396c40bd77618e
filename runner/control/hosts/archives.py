"""Makes the archives of our packages for Spark's executors before a host's first run on a Spark cluster needs them."""

from __future__ import annotations

import logging
import subprocess
import sys

from django.conf import settings

from runner.control.clusters.models import SparkCluster
from runner.control.hosts.priority import Priority, set_priority

END_SECONDS = 3.0
log = logging.getLogger(__name__)


class ArchivesAhead:
    """Keeps the process that makes the archives, once a Spark cluster exists.

    Without it, the first run of a host would wait for them, and so would one that takes over from a lost host.
    """

    def __init__(self) -> None:
        self.log = settings.HOME / "logs" / "archives.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.has_ended = False

    def keep(self) -> None:
        """Start it, or note its end. Each agent starts one, because the code may have changed."""
        if self.has_ended:
            return
        if self.process is None:
            if settings.SPARK_MASTER or SparkCluster.objects.exists():
                try:
                    self.process = self._start()
                except OSError as error:  # no room for its log, or no rights
                    self.has_ended = True
                    log.warning("Archives for executors could not be made: %s", error)
        elif (code := self.process.poll()) is not None:
            self.has_ended = True
            if code:
                log.warning("Archives for executors could not be made (exit code %s); see %s.", code, self.log)

    def end(self) -> None:
        """End it at once. Half an archive is not kept."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()

    def _start(self) -> subprocess.Popen[bytes]:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "runner.spark.session.worker_files", str(settings.HOME / "workers")]
        with self.log.open("wb") as file:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
                cwd=settings.BASE_DIR,
            )
        set_priority(process.pid, Priority.AHEAD)
        return process
