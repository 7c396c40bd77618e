"""The environment of processes that run users' code, or connect to foreign machines."""

from __future__ import annotations

import os
from collections.abc import Mapping

INHERITED_NAMES = frozenset(
    {
        "PATH",
        "JAVA_HOME",
        "HOME",
        "LANG",
        "LC_ALL",
        "TZ",
        "TMPDIR",
        "STREAMWRIGHT_HOME",
        "STREAMWRIGHT_JARS",
        "STREAMWRIGHT_FAILPOINT",
        "STREAMWRIGHT_ALLOW_PYTHON",
        "STREAMWRIGHT_KERNEL",
    }
)
"""None of the product's secrets: the child runs users' code."""
S3_PREFIX = "AWS_"
"""Prefix of the variables by which a host reaches S3."""


def make_environment(ours: Mapping[str, str] = os.environ, *, may_use_s3: bool = False) -> dict[str, str]:
    """A clean environment, with Python's hash seed fixed: nothing may depend on a set's order.

    A process that may use S3 gets what its checkpoints need, and what users wrote there can read it.
    """
    prefixes = ("PYTHON", S3_PREFIX) if may_use_s3 else ("PYTHON",)
    variables = {name: value for name, value in ours.items() if name in INHERITED_NAMES or name.startswith(prefixes)}
    return variables | {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}
