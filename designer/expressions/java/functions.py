"""The functions of expressions in Java: Java's own are written out, the rest are methods of `Sql`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from designer.expressions.functions import FUNCTIONS
from designer.expressions.functions.patterns import split_like_pattern
from designer.expressions.functions.structs import read_json_path
from designer.expressions.java.source import quote_text

INLINE: Mapping[str, str] = {
    "lower": "{0}.toLowerCase(Locale.ROOT)",
    "upper": "{0}.toUpperCase(Locale.ROOT)",
    "startswith": "{0}.startsWith({1})",
    "endswith": "{0}.endsWith({1})",
    "contains": "{0}.contains({1})",
    "reverse": "new StringBuilder({0}).reverse().toString()",
    "pi": "Math.PI",
    "union_tag": "{0}.tag()",
    "unix_millis": "(long) {0}",
    "unix_seconds": "Math.floorDiv({0}, 1_000L)",
}
STATIC: Mapping[str, str] = {
    **{
        name: "".join(word.title() if place else word for place, word in enumerate(name.split("_")))
        for name in [
            "length",
            "initcap",
            "trim",
            "ltrim",
            "rtrim",
            "btrim",
            "substring",
            "left",
            "right",
            "concat",
            "concat_ws",
            "replace",
            "translate",
            "split_part",
            "substring_index",
            "lpad",
            "rpad",
            "instr",
            "locate",
            "ascii",
            "md5",
            "sha2",
            "sign",
            "ceil",
            "floor",
            "round",
            "bround",
            "pmod",
            "try_divide",
            "pow",
            "exp",
            "ln",
            "log10",
            "log2",
            "sqrt",
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "atan2",
            "radians",
            "degrees",
            "nullif",
            "greatest",
            "least",
            "isnan",
            "nanvl",
            "typeof",
            "array",
            "sequence",
            "size",
            "element_at",
            "try_element_at",
            "get",
            "array_contains",
            "array_position",
            "array_min",
            "array_max",
            "slice",
            "array_join",
            "array_append",
            "array_prepend",
            "array_remove",
            "array_compact",
            "array_distinct",
            "array_union",
            "array_intersect",
            "array_except",
            "arrays_overlap",
            "array_repeat",
            "sort_array",
            "flatten",
            "transform",
            "filter",
            "exists",
            "forall",
            "aggregate",
            "zip_with",
            "map_filter",
            "transform_values",
            "transform_keys",
            "array_sort",
            "format_string",
            "map",
            "map_put",
            "map_remove",
            "map_contains_key",
            "map_keys",
            "map_values",
            "map_entries",
            "map_from_entries",
            "map_from_arrays",
            "map_concat",
            "to_json",
            "parse_json",
            "java_string",
            "hex",
            "octet_length",
            "to_timestamp_ms",
            "try_to_timestamp_ms",
            "to_iso",
            "date_trunc",
            "year",
            "quarter",
            "month",
            "day",
            "hour",
            "minute",
            "second",
            "dayofyear",
            "dayofweek",
            "weekday",
            "weekofyear",
            "date_format",
            "timestamp_seconds",
            "format_number",
            "get_json_object",
            "base64",
            "unbase64",
            "unhex",
            "union_value",
            "union_extract",
        ]
    },
    "abs": "absolute",
    "get": "itemOrNull",
    "map": "entries",
}
PATTERNS: Mapping[str, str] = {
    "regexp_extract": "extract",
    "regexp_substr": "firstMatch",
    "regexp_count": "matches",
    "regexp_like": "isFound",
    "regexp_replace": "replaceMatches",
    "split": "split",
    "java_split": "javaSplit",
}
"""Functions with a pattern that is compiled once, as a constant of the class."""


@cache
def find_canonical_name(name: str) -> str:
    """The first name of a function that has several."""
    run = FUNCTIONS[name].run
    return next(each for each, function in FUNCTIONS.items() if function.run is run)


def split_path(path_text: str) -> list[str]:
    """The steps of a JSON path, as arguments."""
    return [quote_text(step) if isinstance(step, str) else str(step) for step in read_json_path(path_text)]


def write_pattern(op: str, pattern: str) -> str:
    """The Java that compiles the pattern of LIKE, ILIKE or RLIKE."""
    if op == "RLIKE":
        return f"Pattern.compile({quote_text(pattern)})"
    wild = {"%": ".*", "_": "."}
    body = "".join(wild.get(sign) or _quote(sign[-1]) for sign in split_like_pattern(pattern))
    flags = "Pattern.DOTALL | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE" if op == "ILIKE" else "Pattern.DOTALL"
    return f"Pattern.compile({quote_text(f'^{body}' + chr(92) + 'z')}, {flags})"


def _quote(sign: str) -> str:
    return sign if sign.isalnum() or sign in " _-" else f"\\{sign}"
