"""Well-typed expressions at random: a grammar of templates, filled to a given depth."""

from __future__ import annotations

import re
from random import Random

from designer.topology.catalogue import Scope
from designer.values.schemas import BOOLEAN, DOUBLE, INTEGER, STRING, struct

FIELDS = Scope({"value": struct(n=INTEGER, m=INTEGER, d=DOUBLE, s=STRING, b=BOOLEAN, c=BOOLEAN)}, spread="value")
LEAVES = {
    "int": ["n", "m", "0", "1", "-3", "7", f"{2**63 - 1}", f"{-(2**63)}", "CAST(NULL AS INT)"],
    "small": ["m", "1", "-3"],
    "double": ["d", "0.5", "-2.5", "1e300", "0.0", "CAST(NULL AS DOUBLE)"],
    "text": ["s", "'a'", "''", "'É%'", "CAST(NULL AS STRING)"],
    "bool": ["b", "c", "TRUE", "FALSE", "CAST(NULL AS BOOLEAN)"],
}
FORMS = {
    "number": ["{int}", "{double}"],
    "scalar": ["{int}", "{double}", "{text}", "{bool}"],
    "int": [
        *(f"({{int}} {op} {{int}})" for op in ("+", "-", "*", "%", "div")),
        "-({int})",
        "coalesce({int}, {int})",
        "nullif({int}, {int})",
        "greatest({int}, {int})",
        "length({text})",
        "CASE WHEN {bool} THEN {int} WHEN {bool} THEN {int} END",
        "CASE {int} WHEN {int} THEN {int} ELSE {int} END",
    ],
    "double": [
        *(f"({{double}} {op} {{number}})" for op in ("+", "-", "*", "%")),
        "({number} / {number})",
        "if({bool}, {double}, {small})",
        "coalesce({small}, {double})",
    ],
    "text": ["({text} || {text})", "upper({text})", "if({bool}, {text}, {text})", "CASE WHEN {bool} THEN {text} END"],
    "bool": [
        *(f"({{number}} {op} {{number}})" for op in ("=", "<>", "<", "<=", ">", ">=", "<=>")),
        "({text} <= {text})",
        "({bool} AND {bool})",
        "({bool} OR {bool} OR {bool})",
        "(NOT {bool})",
        "({scalar} IS NULL)",
        "({scalar} IS NOT NULL)",
        "({bool} IS TRUE)",
        "({bool} IS NOT FALSE)",
        "({int} IN ({int}, {number}))",
        "({int} IN (1, 7, 0))",
        "({text} NOT IN ('a', {text}))",
        "({number} BETWEEN {number} AND {number})",
        "contains({text}, {text})",
    ],
}


def sentence(random: Random, kind: str, depth: int) -> str:
    """An expression of that kind, nested at most `depth` forms deep."""
    if kind in LEAVES and (depth == 0 or kind not in FORMS or random.random() < 0.15):
        return random.choice(LEAVES[kind])
    return re.sub(r"\{(\w+)\}", lambda part: sentence(random, part[1], max(depth - 1, 0)), random.choice(FORMS[kind]))
