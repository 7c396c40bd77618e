"""The addresses of a running `make run`, for commands in another terminal.

`up` writes them to `.run/environment`. Django's settings read them as defaults.
"""

import json
import os
from pathlib import Path

from .secret import write_private

ADDRESSES = ("DATABASE_URL", "REDIS_URL", "KAFKA_BOOTSTRAP_SERVERS", "SCHEMA_REGISTRY_URL")
LOADED_FLAG = "STREAMWRIGHT_LOADED"


def save(home: Path, addresses: dict[str, str]) -> None:
    """Saves the addresses, which contain passwords, for their owner only."""
    write_private(home / "environment", json.dumps(addresses, indent=2) + "\n")


def load(home: Path) -> None:
    """Sets each address that the environment lacks."""
    path = home / "environment"
    addresses: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    new_addresses = {name: value for name, value in addresses.items() if name not in os.environ}
    os.environ.update(new_addresses)
    if new_addresses:
        os.environ[LOADED_FLAG] = ",".join(new_addresses)


def find_user_addresses() -> dict[str, str]:
    """The addresses from the user, without those that `load` set."""
    loaded_names = os.environ.get(LOADED_FLAG, "").split(",")
    return {name: os.environ[name] for name in ADDRESSES if name in os.environ and name not in loaded_names}
