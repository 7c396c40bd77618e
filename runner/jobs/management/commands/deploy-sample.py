"""`manage.py deploy-sample`: what `make run` does once Kafka holds the sample data."""

from typing import Any

from designer.models import Topology
from designer.services import import_topology
from runner.jobs import services
from runner.jobs.command import JobCommand
from runner.jobs.models import Job
from runner.samples import FLIGHT_DELAYS, sample

JOB = "flight-delays"


class Command(JobCommand):
    help = "Import the sample topology and deploy it as the job flight-delays, once."

    def act(self, **options: Any) -> None:
        if Job.objects.filter(name=JOB).exists():
            self.stdout.write(f"Job {JOB} is there already.")
            return
        by, exported = self.user(options["by"]), sample(FLIGHT_DELAYS)
        topology = Topology.objects.filter(name=exported["name"]).first() or import_topology(exported=exported, by=by)
        services.deploy(by=by, topology=topology, name=JOB)
        self.stdout.write(f"Job {JOB} is deployed.")
