"""The addresses of a running `make run` and the variables it was given, for commands in another terminal.

`up` writes them to `.run/environment`. Django's settings read them as defaults. The variables count only while that
product runs: the next one has only those that it is given itself.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from .lock import is_running
from .secret import write_private

ADDRESSES = ("DATABASE_URL", "REDIS_URL", "KAFKA_BOOTSTRAP_SERVERS", "SCHEMA_REGISTRY_URL")
LOADED_FLAG = "STREAMWRIGHT_LOADED"


def save(home: Path, addresses: Mapping[str, str], variables: Mapping[str, str]) -> None:
    """Saves the addresses, which contain passwords, and the variables, for their owner only."""
    write_private(home / "environment", json.dumps({**variables, **addresses}, indent=2) + "\n")


def load(home: Path) -> None:
    """Sets each address that the environment lacks, and while the product runs, each of its variables."""
    path = home / "environment"
    values: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    names = values.keys() if is_running(home) else ADDRESSES
    new_values = {name: values[name] for name in names if name in values and name not in os.environ}
    os.environ.update(new_values)
    if new_values:
        os.environ[LOADED_FLAG] = ",".join(new_values)


def find_user_addresses() -> dict[str, str]:
    """The addresses from the user, without those that `load` set."""
    loaded_names = os.environ.get(LOADED_FLAG, "").split(",")
    return {name: os.environ[name] for name in ADDRESSES if name in os.environ and name not in loaded_names}
