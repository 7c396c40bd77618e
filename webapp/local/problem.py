"""A problem that prevents Streamwright from starting, in one sentence with the next step."""

import errno
import os
from pathlib import Path


class Problem(Exception):
    """Users see only its text: the thing, the expectation, the next step."""


def describe_disk_error(error: OSError, folder: Path) -> str | None:
    """Return a sentence for a full disk, or for files that this user may not change. None for other errors."""
    if error.errno == errno.ENOSPC:
        return f"the disk with {folder} is full. Make room there."
    if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
        return None
    place = Path(error.filename or folder)
    there = next(path for path in (place, *place.parents) if os.path.exists(path))  # Path.exists may not look either
    try:
        owner = there.owner()
    except KeyError:
        owner = f"the user with id {there.stat().st_uid}"
    return (
        f"{place} cannot be used ({error.strerror}). {there} belongs to {owner}: run this as that user, or in a clone "
        "of your own."
    )
