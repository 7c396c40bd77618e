"""The list of commands that `manage.py` and `streamwright` print: ours with what each does, then Django's by name."""

from __future__ import annotations

import sys
import textwrap

from django.core.management import BaseCommand, ManagementUtility, get_commands, load_command_class

OURS = ("designer", "runner", "webapp")
WIDTH = 100
ONLY_REMOTE = ("guard",)
"""Commands of `webapp.remote` that have no form on the machine of the product."""


class CommandLine(ManagementUtility):
    """Django's, which lists all commands of all packages by name alone."""

    def __init__(self, argv: list[str]) -> None:
        super().__init__(argv)
        if self.prog_name in ("__main__.py", "python -m django"):
            self.prog_name = "streamwright"

    def fetch_command(self, subcommand: str) -> BaseCommand:
        if subcommand in ONLY_REMOTE:
            sys.exit(
                f"{subcommand} asks a running product, also on this machine: "
                f"{self.prog_name} --url ADDRESS {subcommand} …, with a token in STREAMWRIGHT_TOKEN."
            )
        return super().fetch_command(subcommand)

    def main_help_text(self, commands_only: bool = False) -> str:
        if commands_only:
            return str(super().main_help_text(commands_only))
        apps = get_commands()
        ours = sorted(name for name, app in apps.items() if str(app).startswith(OURS))
        width = max(map(len, ours)) + 4
        lines = [f"{self.prog_name} COMMAND …, and {self.prog_name} COMMAND --help for its arguments.", ""]
        for name in ours:
            does = load_command_class(str(apps[name]), name).help
            lines += textwrap.wrap(does, WIDTH, initial_indent=f"  {name}".ljust(width), subsequent_indent=" " * width)
        others = ", ".join(sorted(set(apps) - set(ours)))
        lines += ["", *textwrap.wrap(f"Django and its packages have others: {others}.", WIDTH)]
        lines += ["", f"{self.prog_name} --url ADDRESS --help lists what it asks another machine's server."]
        return "\n".join(lines)
