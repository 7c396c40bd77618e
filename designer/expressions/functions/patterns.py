"""Regular expressions by RE2: linear in time for every pattern, without look-around and back references.

Ends of lines are Java's (`line_ends`). Patterns are text literals, so each is compiled once, with its expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import re2

from designer.expressions.errors import Fault
from designer.expressions.functions.limits import MAX_ITEMS, check_length, check_text
from designer.expressions.functions.line_ends import Match, convert_pattern
from designer.expressions.functions.strings import replace
from designer.expressions.functions.table import function

MAX_PATTERN = 1_000
MAX_SCAN = 32_768
"""Characters to search for all matches: one match takes linear time, so all may take quadratic time."""
PLAIN = re.compile(r"[\w ,;:/@#%&=<>!\"'~`-]+")
REFERENCE = re.compile(r"\\(.)|\$(\d)|(\$|\\)", re.DOTALL)


class Pattern:
    """A compiled regular expression of Java's. `plain` is its text if no character is special."""

    __slots__ = ("finding", "groups", "matching", "plain", "translation")

    def __init__(self, text: str, most: int = MAX_PATTERN) -> None:
        if len(text) > most:
            raise ValueError(f"the pattern has {len(text):,} characters, more than {most:,}")
        self.translation = convert_pattern(text)
        try:
            self.finding: Any = _compile(self.translation.finding)
            self.matching: Any = _compile(self.translation.matching)
        except re2.error as error:
            raise ValueError(f"the pattern is not a valid RE2 regular expression: {_explain(text, error)}") from None
        self.groups = len(self.translation.groups) - 1
        self.plain = text if PLAIN.fullmatch(text) else None

    def is_found_in(self, text: str) -> bool:
        """Whether the text contains it. Searches UTF-8 bytes, so that RE2 need not count characters."""
        return self.finding.search(text.encode()) is not None

    def find_first(self, text: str) -> Any:
        """The first match, in UTF-8 bytes."""
        match = self.matching.search(text.encode())
        return match and Match(match, self.translation) if self.translation.ends else match

    def find_all(self, text: str) -> Iterator[Any]:
        """All matches in order. RE2's own search returns some empty ones twice."""
        if len(text) > MAX_SCAN:
            raise Fault(f"The text has {len(text):,} characters; all matches are found in at most {MAX_SCAN:,}.")
        before = None
        for match in self._as_java(text) if self.translation.ends else self.matching.finditer(text):
            place = match.start(), match.end()
            if place != before:
                yield match
            before = place

    def _as_java(self, text: str) -> Iterator[Match]:
        """A match that took in the last line end is followed by those from where it ends in Java.

        Nothing ends between \\r and \\n.
        """
        match = None
        for re2_match in self.matching.finditer(text):
            match = Match(re2_match, self.translation)
            if match.takes_line_end:
                break
            yield match
        while match is not None and match.takes_line_end:
            if text[match.end() - 1 : match.end() + 1] != "\r\n":
                yield match
            at = match.end() + (match.start() == match.end())
            re2_match = self.matching.search(text, at)
            match = re2_match and Match(re2_match, self.translation)
            if match is not None and not match.takes_line_end:
                yield match


def _compile(text: str) -> Any:
    options = re2.Options()
    options.log_errors = False
    return re2.compile(text, options=options)


def _explain(text: str, error: Exception) -> str:
    """RE2's message for the original pattern."""
    try:
        _compile(text)
    except re2.error as pattern_error:
        return _read_reason(pattern_error)
    return _read_reason(error)


def _read_reason(error: Exception) -> str:
    reason = error.args[0] if error.args else "not understood"
    return reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)


compile_pattern = lru_cache(maxsize=1_024)(Pattern)


@function("regexp_like(text: string, pattern: pattern) -> boolean", "rlike", "regexp")
def regexp_like(text: str, pattern: Pattern) -> bool:
    r"""True if the text contains a match of the pattern.
    regexp_like('a1', '[0-9]')
    rlike('N123', r'^N\d+$')
    """
    return pattern.is_found_in(text)


@function("regexp_extract(text: string, pattern: pattern, [group: integer]) -> string")
def regexp_extract(text: str, pattern: Pattern, group: int = 1) -> str:
    r"""One group of the first match; empty if there is no match. Group 0 is the whole match; the default is 1.
    regexp_extract('100-200', r'(\d+)-(\d+)', 2) = '200'
    regexp_extract('none', r'(\d+)') = ''
    """
    if not 0 <= group <= pattern.groups:
        raise Fault(f"The pattern has {pattern.groups} groups; there is no group {group}.")
    match = pattern.find_first(text)
    group_text: bytes = (match.group(group) or b"") if match else b""
    return group_text.decode()


@function("regexp_substr(text: string, pattern: pattern) -> string?")
def regexp_substr(text: str, pattern: Pattern) -> str | None:
    r"""The first match of the pattern, or null.
    regexp_substr('flight 42', r'\d+') = '42'
    """
    match = pattern.find_first(text)
    return match.group().decode() if match else None


@function("regexp_count(text: string, pattern: pattern) -> integer")
def regexp_count(text: str, pattern: Pattern) -> int:
    """The number of matches of the pattern.
    regexp_count('banana', '[bn]a') = 3
    """
    return text.count(pattern.plain) if pattern.plain else sum(1 for _ in pattern.find_all(text))


@function("regexp_replace(text: string, pattern: pattern, replacement: string) -> string")
def regexp_replace(text: str, pattern: Pattern, replacement: str) -> str:
    r"""Replaces every match. $1 is the first group.
    regexp_replace('100-200', r'(\d+)', 'num') = 'num-num'
    regexp_replace('ab', '(a)(b)', '$2$1') = 'ba'
    """
    template = _read_template(replacement, pattern.groups)
    if pattern.plain and len(template) < 2:
        return replace(text, pattern.plain, "".join(map(str, template)))
    parts: list[str] = []
    at = size = 0
    for match in pattern.find_all(text):
        parts.append(text[at : match.start()])
        parts += (part if isinstance(part, str) else match.group(part) or "" for part in template)
        size += sum(map(len, parts[-1 - len(template) :]))
        check_length(size)
        at = match.end()
    return check_text("".join(parts) + text[at:])


@lru_cache(maxsize=1_024)
def _read_template(replacement: str, groups: int) -> tuple[str | int, ...]:
    """A replacement in the syntax of Java's Matcher: texts and numbers of groups."""
    parts: list[str | int] = []
    at = 0
    for match in REFERENCE.finditer(replacement):
        parts.append(replacement[at : match.start()])
        sign, group, stray = match.groups()
        if stray or (group and int(group) > groups):
            raise Fault(
                f"`{match[0]}` in the replacement does not name a group of the pattern. The pattern has {groups}."
            )
        parts.append(sign if sign is not None else int(group))
        at = match.end()
    return tuple(part for part in (*parts, replacement[at:]) if part != "")


@function("split(text: string, pattern: pattern, [limit: integer]) -> [string]")
def split(text: str, pattern: Pattern, limit: int = -1) -> list[str]:
    r"""The parts between the matches of the pattern; at most `limit` parts if it is positive.
    split('a,b,c', ',')[1] = 'b'
    size(split('a  b', r'\s+')) = 2
    size(split('a b c', ' ', 2)) = 2
    """
    if pattern.plain:
        parts = text.split(pattern.plain, limit - 1 if limit > 0 else MAX_ITEMS)
    else:
        parts = _split(text, pattern, limit)
    if len(parts) > MAX_ITEMS:
        raise Fault(f"split would give more than {MAX_ITEMS:,} parts.")
    return parts


def _split(text: str, pattern: Pattern, limit: int) -> list[str]:
    """Like Java: an empty match splits anywhere but at the start, and an empty pattern not at the end either."""
    parts: list[str] = []
    at = 0
    for match in pattern.find_all(text):
        if len(parts) + 1 == limit:
            break
        if match.end() == 0 or (match.start() == len(text) and not pattern.translation.finding):
            continue
        parts.append(text[at : match.start()])
        at = match.end()
    return [*parts, text[at:]]


def split_like_pattern(pattern: str) -> list[str]:
    """The characters of a LIKE pattern, with `%` and `_` as wildcards. Raises ValueError."""
    signs = re.findall(r"\\.|.|\\$", pattern, re.DOTALL)
    if any(sign[0] == "\\" and sign[1:] not in ("%", "_", "\\") for sign in signs):
        raise ValueError("in a LIKE pattern a backslash is allowed only before %, _ or another backslash")
    return signs


def compile_like(pattern: str, *, ignores_case: bool = False) -> Pattern:
    """A LIKE pattern (% any text, _ one character, a backslash before either for itself) for RE2."""
    wild = {"%": ".*", "_": "."}
    body = "".join(wild.get(sign) or re2.escape(sign[-1]) for sign in split_like_pattern(pattern))
    return compile_pattern(f"(?{'is' if ignores_case else 's'})^{body}\\z", 20 * MAX_PATTERN)


def make_matcher(op: str, pattern: str) -> Callable[[str], bool]:
    """The test of LIKE, ILIKE or RLIKE for a text. The plain patterns a%, %a, %a% and a need no RE2."""
    if op == "LIKE" and (plain := _make_plain(split_like_pattern(pattern))):
        return plain
    return (
        compile_pattern(pattern) if op == "RLIKE" else compile_like(pattern, ignores_case=op == "ILIKE")
    ).is_found_in


def _make_plain(signs: list[str]) -> Callable[[str], bool] | None:
    start = 1 if signs[:1] == ["%"] else 0
    end = len(signs) - 1 if signs[start:][-1:] == ["%"] else len(signs)
    if "%" in signs[start:end] or "_" in signs:
        return None
    part = "".join(sign[-1] for sign in signs[start:end])
    if start and end < len(signs):
        return lambda text: part in text
    if start:
        return lambda text: text.endswith(part)
    return (lambda text: text.startswith(part)) if end < len(signs) else (lambda text: text == part)
