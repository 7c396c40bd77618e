"""`manage.py carry-out-correction TOKEN`: the process of a correction that someone asked for on the page."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from designer.projects.roles import SERVER
from runner.watch.proving import correcting


class Command(BaseCommand):
    needs = SERVER
    help = "Prepare or send a correction that the page has asked for. The web server runs this command."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("token", help="Token of the correction, which its row in Postgres has.")

    def handle(self, *args: Any, **options: Any) -> None:
        correcting.carry_out(options["token"])
