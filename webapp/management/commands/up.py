"""`manage.py up`: the part of `make run` after the install."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from designer.projects.roles import SERVER
from webapp.local.up import Product, run_product
from webapp.variables import find_given_variables


class Command(BaseCommand):
    """Starts every part on this machine and stays until Ctrl-C."""

    needs = SERVER
    help = "Start Postgres, Redis, Kafka, web, worker, beat, agent and the sample feed. Ctrl-C stops them."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument(
            "--empty", action="store_true", help="Start without the sample feed and the sample topology."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Runs until a signal."""
        variables = find_given_variables()
        product = Product(settings.HOME.resolve(), settings.PORT, options["empty"], settings.REGISTRY, variables)
        sys.exit(run_product(product, self._say))

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()
