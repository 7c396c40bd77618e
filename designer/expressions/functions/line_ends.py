r"""Java's regular expressions where they look at ends of lines, executed by RE2.

In Java `$` and `\Z` also match before a line end that ends the text, and `.` matches none of the line ends, which
are \r\n, \n, \r, \u0085, \u2028 and \u2029. RE2 knows \n alone, has no `\Z`, and its `$` is the very end. It has no
look-ahead either: here `$` takes in the last line end behind an empty group, and `Match` leaves it out again.

With the flag m, `^` and `$` keep RE2's meaning: lines end with \n.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

LINE_END = r"(?:\r\n|[\n\r\x{85}\x{2028}\x{2029}])"
NO_LINE_END = r"[^\n\r\x{85}\x{2028}\x{2029}]"
TOKEN = re.compile(
    r"""\\Q.*?(?:\\E|\Z)                                    # quoted text
      | \\.
      | \[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]             # a class
      | \(\?P?<\w+>                                         # a group with a name
      | \(\?(?P<flags>[a-zA-Z-]*)(?P<until>[:)])            # flags, for a group or until the group around them ends
      | .""",
    re.DOTALL | re.VERBOSE,
)


class TranslatedPattern(NamedTuple):
    """A pattern for RE2: one that only finds, and one with more groups that also locates."""

    finding: str
    matching: str
    groups: tuple[int, ...]
    """The number of the whole match and of each group of the pattern."""
    ends: tuple[int, ...]
    """The numbers of the empty groups. One has a place if the match includes the last line end."""


def convert_pattern(pattern: str) -> TranslatedPattern:
    r"""The pattern for RE2; what is no regular expression stays none.

    >>> convert_pattern("(?s)a.$").finding
    '(?s)a.(?:(?:\\r\\n|[\\n\\r\\x{85}\\x{2028}\\x{2029}])?\\z)'
    """
    finding: list[str] = []
    matching: list[str] = []
    groups, ends = [0], list[int]()
    flags, around = frozenset[str](), list[frozenset[str]]()
    for match in TOKEN.finditer(pattern):
        token = match[0]
        if token.startswith("("):
            is_captured = match["until"] is None
            if match["until"] != ")":
                around.append(flags)
            if is_captured:
                groups.append(len(groups) + len(ends))
            else:
                on, _, off = match["flags"].partition("-")
                flags = (flags | set(on)) - set(off)
        elif token == ")" and around:
            flags = around.pop()
        elif token == r"\Z" or (token == "$" and "m" not in flags):
            ends.append(len(groups) + len(ends))
            finding.append(rf"(?:{LINE_END}?\z)")
            matching.append(rf"(?:\z|(){LINE_END}\z)")
            continue
        elif token == "." and "s" not in flags:
            token = NO_LINE_END
        finding.append(token)
        matching.append(token)
    return TranslatedPattern("".join(finding), "".join(matching), tuple(groups), tuple(ends))


class Match:
    """An RE2 match in Java's form: without the line end that `$` included, and only with the pattern's own groups."""

    __slots__ = ("_end", "_groups", "_match", "takes_line_end")

    def __init__(self, match: Any, pattern: TranslatedPattern) -> None:
        places = [match.start(number) for number in pattern.ends]
        self._match = match
        self._groups = pattern.groups
        self._end = max(places, default=-1)
        self.takes_line_end = self._end >= 0

    def start(self, group: int = 0) -> int:
        start: int = self._match.start(self._groups[group])
        return min(start, self._end) if self.takes_line_end else start

    def end(self, group: int = 0) -> int:
        end: int = self._match.end(self._groups[group])
        return min(end, self._end) if self.takes_line_end else end

    def group(self, group: int = 0) -> Any:
        text = self._match.group(self._groups[group])
        return text if text is None or not self.takes_line_end else text[: max(self.end(group) - self.start(group), 0)]
