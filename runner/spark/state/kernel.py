"""Rows of LMDB for the kernel, which reads and writes them without a Python object for each.

py-lmdb opens the files, and begins and ends transactions. Its interface does not give their addresses. So this serves
only the versions in `KNOWN`, whose source says where they are (`TransObject` in `cpython.c`), and py-lmdb's own calls
serve any other.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

import lmdb

from runner import kernel

KNOWN = frozenset({"3.0.0"})
"""Versions of py-lmdb whose transactions hold the address of LMDB's functions, and that of its transaction after it."""
TABLES = ("lmdb_api_v09", "lmdb_api_v10")
"""Names under which py-lmdb has LMDB's functions, for each version of LMDB in it."""
WORD = ctypes.sizeof(ctypes.c_size_t)


class Lent(NamedTuple):
    """A transaction for the kernel: LMDB's functions and the address. Hold the Python object while you use it."""

    lmdb: Any
    txn: int


def lend(txn: Any) -> Lent | None:
    """What the kernel needs to work in a transaction. None if it is not there, or does not know this py-lmdb."""
    module = kernel.load()
    functions = {} if module is None else _find_functions(module)
    words = (ctypes.c_size_t * (type(txn).__basicsize__ // WORD)).from_address(id(txn)) if functions else ()
    return next((Lent(functions[word], words[at + 1]) for at, word in enumerate(words) if word in functions), None)


@cache
def _find_functions(module: Any) -> dict[int, Any]:
    """LMDB's functions by their address. None of an unknown py-lmdb."""
    if version("lmdb") not in KNOWN or not hasattr(lmdb, "cpython"):
        return {}
    library = ctypes.CDLL(lmdb.cpython.__file__)
    functions = {}
    for name in TABLES:
        with suppress(ValueError):  # a py-lmdb that was built with the system's LMDB has none of these
            address = ctypes.addressof(ctypes.c_char.in_dll(library, name))
            functions[address] = module.Lmdb(address)
    return functions
