"""`manage.py replay orders --minutes 5`"""

from typing import Any

from django.core.management.base import CommandParser

from designer.projects.roles import VIEWER
from designer.text import write_count
from runner.control.jobs.command import JobCommand
from runner.control.jobs.services import get_job_named
from runner.management.arguments import read_amount
from runner.watch.proving import services


class Command(JobCommand):
    needs = VIEWER
    help = (
        "Execute the kept batches of a job again, in another process, and compare their results with what the job "
        "wrote. Nothing is written. The exit code is 1 if a batch gives other results."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("job", help="Name of the job.")
        parser.add_argument(
            "--minutes",
            type=read_amount,
            default=10.0,
            help="Begin with the batch of so many minutes ago. Default: 10.",
        )

    def act(self, **options: Any) -> None:
        job, by = get_job_named(options["job"]), self.user(options["by"])
        same, differing, asked = 0, list[int](), dict[str, int]()
        for manifest, answer in services.replay(job=job, by=by, minutes=options["minutes"]):
            asked = answer.get("not_recorded", {})
            if answer["checksum"] == manifest.facts["checksum"]:
                same += 1
            else:
                differing.append(manifest.number)
                self.stdout.write(f"Batch {manifest.number} gives other results than the job wrote.")
        self.stdout.write(
            f"The same bytes again in {write_count(same, 'batch', 'batches')}, others in {len(differing):,}."
        )
        for node, count in asked.items():
            times = write_count(count, "time")
            self.stdout.write(f"`{node}` asked other servers for what was not recorded, {times}. None was called.")
        if differing:
            raise SystemExit(1)
