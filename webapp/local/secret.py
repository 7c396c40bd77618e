"""Secrets of one installation: created once, readable only by its owner."""

import os
import re
import secrets
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Writes `text` to `path`, mode 0600 from the first byte on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    fresh.replace(path)


def ensure_secret(path: Path) -> str:
    """The secret in `path`, created at first use (48 characters, safe in a URL)."""
    if not path.exists():
        write_private(path, secrets.token_urlsafe(36))
    return path.read_text().strip()


def without_password(address: str) -> str:
    """The address without its password, for display.

    >>> without_password("postgres://ann:a#b@db/x"), without_password("kafka:9092")
    ('postgres://ann:...@db/x', 'kafka:9092')
    """
    return re.sub(r"(://[^:/]*:).*@", r"\1...@", address)
