"""Ends of lines in regular expressions are Java's: its own answers are in java_patterns.json."""

from __future__ import annotations

import json

import pytest

from designer.expressions.functions.patterns import Pattern, split
from tests.designer.expressions.java_patterns import ANSWERS
from tests.designer.expressions.sample import compute

BETWEEN = {("[^b]$", "a\r\n"), ("[^b]$", "\r\n"), ("(?s:.)$", "a\r\n"), ("(?s:.)$", "\r\n")}
"""Only Java's `$` is never between \\r and \\n, where a search for the first match ends here."""
CASES = json.loads(ANSWERS.read_text())


@pytest.mark.parametrize("pattern", sorted({case[0] for case in CASES}))
def test_matches_are_java_s(pattern: str) -> None:
    compiled = Pattern(pattern)
    for text, found in ((case[1], case[2]) for case in CASES if case[0] == pattern):
        matches = [
            [match.start(), match.end(), *(match.group(group) for group in range(compiled.groups + 1))]
            for match in compiled.find_all(text)
        ]
        first = compiled.find_first(text)

        assert (text, matches) == (text, found)
        assert (text, compiled.is_found_in(text)) == (text, bool(found))
        if (pattern, text) not in BETWEEN:
            given = first and [first.group(group) for group in range(compiled.groups + 1)]
            assert (text, given and [part if part is None else part.decode() for part in given]) == (
                text,
                found[0][2:] if found else None,
            )


@pytest.mark.parametrize("pattern", sorted({case[0] for case in CASES}))
def test_parts_are_java_s(pattern: str) -> None:
    for text, parts in ((case[1], case[3]) for case in CASES if case[0] == pattern):
        assert (text, split(text, Pattern(pattern))) == (text, parts)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("rlike('a\n', 'a$')", True),
        ("'a\n' RLIKE r'^a\\Z'", True),
        ("rlike('a\n', r'a\\z')", False),
        ("'a\n' LIKE 'a'", False),
        ("'a\n' LIKE 'a_'", True),
        ("regexp_extract('ab\n', '(b)$')", "b"),
        ("regexp_extract('ab\n', '(b$)', 1)", "b"),
        ("regexp_replace('ab\n', 'b$', 'x')", "ax\n"),
        ("regexp_replace('ab', '$', 'x')", "abx"),
        ("regexp_replace('a\n', '$', 'x')", "ax\nx"),
        ("regexp_count('a\n', 'a?$')", 3),
        ("regexp_substr('ab\r\n', '.+')", "ab"),
    ],
)
def test_functions_use_them(expression: str, expected: object) -> None:
    assert compute(expression) == expected
