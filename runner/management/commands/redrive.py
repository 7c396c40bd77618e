"""`manage.py redrive JOB --node shares --rate 100`"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from designer.projects.roles import OPERATOR
from runner.control.jobs.command import JobCommand
from runner.control.jobs.services import get_job_named
from runner.watch.dead_letters.carrying import send_dead_letters
from runner.watch.dead_letters.groups import Filter
from runner.watch.dead_letters.models import Redrive, RedriveStatus
from runner.watch.dead_letters.services import MIN_RATE, redrive


class Command(JobCommand):
    needs = OPERATOR
    help = (
        "Send the records of a job's dead letters back to their topics, each once. A worker continues if you stop the "
        "command."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("job", help="Name of a job.")
        parser.add_argument("--node", help="Only dead letters of this node.")
        parser.add_argument("--search", default="", help="Only those with this text in the key, value or reason.")
        parser.add_argument("--rate", type=float, help=f"Records a second at most. Must be {MIN_RATE:g} or more.")

    def act(self, **options: Any) -> None:
        new_redrive = redrive(
            job=get_job_named(options["job"]),
            choice=Filter(node=options["node"], search=options["search"]),
            letters=None,
            rate=options["rate"],
            by=self.user(options["by"]),
        )
        while send_dead_letters(new_redrive.id):
            new_redrive.refresh_from_db()
            self.stdout.write(f"{new_redrive.sent:,} of {new_redrive.amount:,} sent")
        new_redrive.refresh_from_db()
        self._say(new_redrive)

    def _say(self, redrive: Redrive) -> None:
        for letters, why in redrive.refused:
            self.stdout.write(f"not sent: the dead letter at {letters[0][0]}:{letters[0][1]}. {why}")
        if redrive.problem:
            raise CommandError(f"{redrive.sent:,} of {redrive.amount:,} sent, then: {redrive.problem}")
        over = "" if redrive.status == RedriveStatus.DONE else "; a worker sends the rest"
        self.stdout.write(f"{redrive.sent:,} of {redrive.amount:,} sent{over}")
