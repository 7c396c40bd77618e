"""`manage.py carry-out-proof ID TIME`: the process of a proof that someone asked for on the page."""

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from designer.projects.roles import SERVER
from runner.spark.proving.limits import give_way
from runner.watch.proving import jobs


class Command(BaseCommand):
    needs = SERVER
    help = "Work on a proof that the page has started. The web server runs this command."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("proof", type=int, help="Id of the proof.")
        parser.add_argument("started_at", type=datetime.fromisoformat, help="When it was started, in ISO 8601.")

    def handle(self, *args: Any, **options: Any) -> None:
        give_way()
        jobs.carry_out(options["proof"], options["started_at"])
