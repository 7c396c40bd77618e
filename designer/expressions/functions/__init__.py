"""Functions for expressions: pure, linear in time, capped in size, with Spark SQL's names and meanings.

One table, name to `Function`. The import of this package fills it from its modules. A function never changes its
arguments. Its result may be part of one (an item of a list), so callers must not change it.
"""

from __future__ import annotations

from collections.abc import Mapping

from designer.expressions.functions import (
    binary,
    choices,
    java,
    lambdas,
    lists,
    maps,
    numbers,
    patterns,
    printf,
    strings,
    structs,
    times,
    unions,
)
from designer.expressions.functions.table import Function, Parameter, get_table

__all__ = ["FUNCTIONS", "Function", "Parameter"]

FUNCTIONS: Mapping[str, Function] = get_table()
MODULES = (choices, numbers, strings, binary, patterns, printf, lists, lambdas, maps, structs, unions, times, java)
