"""`manage.py login_url`: an address that opens Streamwright signed in."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from designer.projects.roles import SERVER
from runner.demo.samples.services import ensure_sample_topology, is_sample_deployed
from webapp.accounts import services
from webapp.accounts.models import User
from webapp.local.secret import write_private


class Command(BaseCommand):
    """Makes the first user if there is none, and prints an address that signs in once."""

    needs = SERVER
    help = "Print an address that signs the first user in once. Write a new user's password to .run/login."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument("base", nargs="?", default="http://localhost:8000", help="Address of the page.")
        parser.add_argument("--migrate", action="store_true", help="Bring the tables of the database up to date first.")
        parser.add_argument(
            "--sample", action="store_true", help="Draw the sample topology, which the address then opens."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one line."""
        if options["migrate"]:
            call_command("migrate", interactive=False, stdout=self.stderr)
        username, password = services.ensure_first_user()
        if password:
            write_private(settings.HOME / "login", f"user: {username}\npassword: {password}\n")
        if options["sample"] and not is_sample_deployed():
            ensure_sample_topology(by=User.objects.get(username=username))
        self.stdout.write(services.make_one_time_url(username, options["base"]))
