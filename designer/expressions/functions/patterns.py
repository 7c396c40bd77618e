"""Regular expressions by RE2: linear in time whatever the pattern; no look-around and no back references.

Patterns are text literals, so each is compiled once, when the expression is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import re2

from designer.expressions.errors import Fault
from designer.expressions.functions.limits import MOST_ITEMS, capped, fits
from designer.expressions.functions.table import function

MOST_PATTERN = 1_000
REFERENCE = re.compile(r"\\(.)|\$(\d)|\$\{(\w+)\}|(\$|\\)", re.DOTALL)


@lru_cache(maxsize=1_024)
def compiled(pattern: str) -> Any:
    """The pattern for RE2. Raises ValueError with what is wrong."""
    if len(pattern) > MOST_PATTERN:
        raise ValueError(f"the pattern has {len(pattern):,} characters, more than {MOST_PATTERN:,}")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options=options)
    except re2.error as error:
        reason = error.args[0] if error.args else "not understood"
        text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise ValueError(f"the pattern is no regular expression of RE2: {text}") from None


@function("regexp_like(text: string, pattern: pattern) -> boolean", "rlike", "regexp")
def regexp_like(text: str, pattern: Any) -> bool:
    r"""Whether the pattern is found in the text.
    regexp_like('a1', '[0-9]')
    rlike('N123', r'^N\d+$')
    """
    return pattern.search(text) is not None


@function("regexp_extract(text: string, pattern: pattern, [group: integer]) -> string")
def regexp_extract(text: str, pattern: Any, group: int = 1) -> str:
    r"""One group (1 if not said, 0 is all) of the first match; empty where there is none.
    regexp_extract('100-200', r'(\d+)-(\d+)', 2) = '200'
    """
    if not 0 <= group <= pattern.groups:
        raise Fault(f"The pattern has {pattern.groups} groups; there is no group {group}.")
    match = pattern.search(text)
    return (match.group(group) or "") if match else ""


@function("regexp_substr(text: string, pattern: pattern) -> string?")
def regexp_substr(text: str, pattern: Any) -> str | None:
    r"""The first match of the pattern, or null.
    regexp_substr('flight 42', r'\d+') = '42'
    """
    match = pattern.search(text)
    return match.group() if match else None


@function("regexp_count(text: string, pattern: pattern) -> integer")
def regexp_count(text: str, pattern: Any) -> int:
    """How often the pattern is found.
    regexp_count('banana', 'an') = 2
    """
    return sum(1 for _ in pattern.finditer(text))


@function("regexp_replace(text: string, pattern: pattern, replacement: string) -> string")
def regexp_replace(text: str, pattern: Any, replacement: str) -> str:
    r"""Every match replaced; $1 stands for the first group.
    regexp_replace('100-200', r'(\d+)', 'num') = 'num-num'
    regexp_replace('ab', '(a)(b)', '$2$1') = 'ba'
    """
    template = _template(replacement, pattern.groups)
    done: list[str] = []
    at = size = 0
    for match in pattern.finditer(text):
        new = [text[at : match.start()], *(part if isinstance(part, str) else match.group(part) or "" for part in template)]
        size += sum(map(len, new))
        fits(size)
        done += new
        at = match.end()
    return capped("".join(done) + text[at:])


@lru_cache(maxsize=1_024)
def _template(replacement: str, groups: int) -> tuple[str | int, ...]:
    """A replacement as Java's Matcher reads it: texts and numbers of groups."""
    parts: list[str | int] = []
    at = 0
    for found in REFERENCE.finditer(replacement):
        parts.append(replacement[at : found.start()])
        escaped, group, named, stray = found.groups()
        if stray or named or (group and int(group) > groups):
            raise Fault(f"`{found[0]}` in the replacement names no group of the pattern, which has {groups}.")
        parts.append(escaped if escaped is not None else int(group))
        at = found.end()
    return tuple(part for part in (*parts, replacement[at:]) if part != "")


@function("split(text: string, pattern: pattern, [limit: integer]) -> [string]")
def split(text: str, pattern: Any, limit: int = -1) -> list[str]:
    """The parts between the matches of the pattern, at most `limit` where that is positive.
    split('a,b,c', ',')[1] = 'b'
    size(split('a b c', ' ', 2)) = 2
    """
    parts: list[str] = []
    at = 0
    for match in pattern.finditer(text):
        if len(parts) + 1 == limit:
            break
        if match.end() == 0 or match.start() == match.end() == len(text):
            continue
        if len(parts) >= MOST_ITEMS:
            raise Fault(f"split would give more than {MOST_ITEMS:,} parts.")
        parts.append(text[at : match.start()])
        at = match.end()
    return [*parts, text[at:]]


@lru_cache(maxsize=1_024)
def like(pattern: str, any_case: bool) -> Any:
    """A LIKE pattern (% any text, _ one character, \\ before them for themselves) for RE2."""
    parts = ["(?is)" if any_case else "(?s)", "^"]
    signs = iter(pattern)
    for sign in signs:
        if sign == "\\":
            sign = next(signs, "")
            if sign not in ("%", "_", "\\"):
                raise ValueError("in a LIKE pattern a backslash stands only before %, _ or another backslash")
            parts.append(re2.escape(sign))
        else:
            parts.append({"%": ".*", "_": "."}.get(sign) or re2.escape(sign))
    return compiled_like("".join(parts) + "$")


def compiled_like(pattern: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options=options)
