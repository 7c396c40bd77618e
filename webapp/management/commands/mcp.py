"""`streamwright mcp`: serves agents with the Model Context Protocol."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from designer.projects.roles import SERVER
from webapp import remote


class Command(BaseCommand):
    """Asks a running product over HTTP with a token, as `streamwright --url … mcp` does."""

    needs = SERVER
    help = "Serve agents with the Model Context Protocol on stdin and stdout. Needs a token in STREAMWRIGHT_TOKEN."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declares the options."""
        parser.add_argument("--url", default="http://localhost:8000", help="Address of the server.")
        parser.add_argument("--allow-deploy", action="store_true", help="Deploy and stop jobs without asking the user.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serves until the client goes away."""
        words = ["--url", options["url"], "mcp", *(["--allow-deploy"] if options["allow_deploy"] else [])]
        sys.exit(remote.main(words, os.environ.get("STREAMWRIGHT_TOKEN", "")))
