"""`manage.py allow_code ada`: lets a user run Python of their own in topologies."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from webapp.accounts import services
from webapp.accounts.models import User


class Command(BaseCommand):
    """Gives the permission run_code, or takes it away."""

    help = "Lets a user save and deploy topologies with Python code, which runs with all rights of the job's process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument("username")
        parser.add_argument("--revoke", action="store_true", help="take the permission away")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one line."""
        name, revoke = options["username"], options["revoke"]
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no user `{name}`.")
        services.allow_code(user=user, allowed=not revoke)
        self.stdout.write(f"{name} may {'not ' if revoke else ''}run Python code.")
