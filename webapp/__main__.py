"""`python -m webapp`, and `streamwright` where the package is installed: the commands of `manage.py`.

With `--url` first, the commands of `webapp.remote` ask another machine's server.
"""

import gc
import os
import sys


def main() -> None:
    """Executes the command on the command line."""
    if sys.argv[1:2] and sys.argv[1].split("=")[0] == "--url":
        from webapp import remote

        sys.exit(remote.main(sys.argv[1:], os.environ.get("STREAMWRIGHT_TOKEN", "")))
    gc.disable()  # a start keeps its imports: collecting them again and again took a fifth of the time
    import django

    from webapp.command_line import CommandLine

    django.setup()
    gc.freeze()
    gc.enable()
    CommandLine(sys.argv).execute()


if __name__ == "__main__":
    main()
