"""`manage.py deploy-sample`: `make run` calls it after Kafka holds the sample data."""

import time
from typing import Any

from designer.projects.roles import OPERATOR
from runner.control.jobs import services
from runner.control.jobs.command import JobCommand
from runner.control.jobs.targets import Wish
from runner.demo.samples.services import JOB, ensure_sample_topology, is_sample_deployed
from runner.kafka import TopicMissing

PATIENCE_SECONDS = 60.0
"""How long the feed, which starts at the same time, may take to create its topics."""


class Command(JobCommand):
    needs = OPERATOR
    help = "Import the sample topology and deploy it as the job flight-delays, once."

    def act(self, **options: Any) -> None:
        if is_sample_deployed():
            self.stdout.write(f"Job {JOB} already exists.")
            return
        by = self.user(options["by"])
        topology = ensure_sample_topology(by=by)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                services.deploy(by=by, topology=topology, wish=Wish(JOB))
                break
            except TopicMissing:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.5)
        self.stdout.write(f"Job {JOB} is deployed.")
