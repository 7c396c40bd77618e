"""Common parts of the commands that give a permission."""

from argparse import ArgumentParser
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from designer.projects import audit
from webapp.accounts import services
from webapp.accounts.models import User


class AllowCommand(BaseCommand):
    """Gives a user a permission, or takes it away."""

    permission: ClassVar[str]
    what: ClassVar[str]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument("username", help="Name of the user.")
        parser.add_argument("--revoke", action="store_true", help="Remove the permission.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prints one line."""
        name, revoke = options["username"], options["revoke"]
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no user `{name}`.")
        with audit.collect() as changes:
            services.allow(user=user, permission=self.permission, is_allowed=not revoke)
        what = f"manage.py {type(self).__module__.rpartition('.')[2]}"
        audit.add_entry(by=None, address="command line", what=what, about=name, changes=changes)
        self.stdout.write(f"{name} may {'not ' if revoke else ''}{self.what}.")
