"""Secrets of one installation: created once, readable only by its owner."""

import os
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
