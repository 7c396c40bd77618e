"""`python -m webapp`, and `streamwright` where the package is installed: the commands of `manage.py`."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Carries out the command on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
