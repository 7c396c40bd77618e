"""`python -m webapp`, and `streamwright` where the package is installed: the commands of `manage.py`.

With `--url` first, the commands of `webapp.remote` ask another machine's server.
"""

import os
import sys


def main() -> None:
    """Carries out the command on the command line."""
    if sys.argv[1:2] and sys.argv[1].split("=")[0] == "--url":
        from webapp import remote

        sys.exit(remote.main(sys.argv[1:], os.environ.get("STREAMWRIGHT_TOKEN", "")))
    from django.core.management import execute_from_command_line

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
