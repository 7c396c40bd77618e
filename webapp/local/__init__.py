"""Installs and runs everything that Streamwright needs on one machine, without Docker. It imports no Django.

Begin with `up.py`: `manage.py up` starts the parts in order, and `supervisor.py` keeps them running.

- `install`, `steps`: install what is missing, once.
- `java`, `jars`, `chromium`, `npm`, `wheel`: the installed parts.
- `postgres`, `redis`, `kafka`, `apicurio`, `parts`, `service`: what is started; `ledger` remembers their processes.
"""

import sys

WRONG_PYTHON = "This is Python {}.{}; install Python 3.11, 3.12 or 3.13 and run: make PYTHON=python3.12 run"

if sys.version_info < (3, 11):  # noqa: UP036 - here, because an older one cannot import any module of the installer
    sys.exit("Streamwright cannot be installed: " + WRONG_PYTHON.format(*sys.version_info))
