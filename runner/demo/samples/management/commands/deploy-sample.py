"""`manage.py deploy-sample`: what `make run` does once Kafka holds the sample data."""

import time
from typing import Any

from designer.models import Topology
from designer.services import import_topology
from runner.control.jobs import services
from runner.control.jobs.command import JobCommand
from runner.control.jobs.models import Job
from runner.demo.samples import FLIGHT_DELAYS, get_sample
from runner.kafka import TopicMissing

JOB = "flight-delays"
PATIENCE_SECONDS = 60.0
"""How long the feed, which starts at the same time, gets to create its topics."""


class Command(JobCommand):
    help = "Import the sample topology and deploy it as the job flight-delays, once."

    def act(self, **options: Any) -> None:
        if Job.objects.filter(name=JOB).exists():
            self.stdout.write(f"Job {JOB} is there already.")
            return
        by, export = self.user(options["by"]), get_sample(FLIGHT_DELAYS)
        topology = Topology.objects.filter(name=export["name"]).first() or import_topology(export=export, by=by)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                services.deploy(by=by, topology=topology, name=JOB)
                break
            except TopicMissing:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.5)
        self.stdout.write(f"Job {JOB} is deployed.")
