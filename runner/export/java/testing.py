"""Test cases as JUnit tests over TopologyTestDriver: their records stay in stored form, one line of JSON each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from designer.expressions.java import quote_text
from runner.export.java.layout import fill_frame, split_line, write_imports
from runner.export.java.program import JavaClass

PACKAGE = "streamwright"
TESTS, RESOURCES = f"src/test/java/{PACKAGE}", "src/test/resources/cases"


class KeptCase(NamedTuple):
    """A test case: the lines of its records, and of its expected output."""

    name: str
    records: str
    expected: str


def write_tests(class_name: str, java_class: JavaClass, cases: Sequence[KeptCase]) -> Mapping[str, str]:
    """The files of the tests by their paths. Empty without test cases."""
    if not cases:
        return {}
    tests = "".join(line for number, case in enumerate(cases, 1) for line in _test(number, case))
    topics = [f"cases.{what}({quote_text(topic)}, {sides});" for what, topic, sides in java_class.topics]
    if "SchemaFrame" in java_class.support:
        topics = ["SchemaFrame.useOwnIds();", *topics]
    body = fill_frame(
        "TopologyTest.java",
        class_name=class_name,
        topics="\n".join(line for each in topics for line in split_line(each, 8)),
        tests=tests,
    )
    head, _, rest = body.partition("// imports\n")
    imports = sorted({*write_imports(rest.split("\n")), *(f"import {each};" for each in JUNIT)})
    files = {
        f"{TESTS}/{class_name}Test.java": head + "\n".join(imports) + "\n" + rest,
        f"{TESTS}/Cases.java": fill_frame("Cases.java"),
    }
    for number, case in enumerate(cases, 1):
        files[f"{RESOURCES}/{number}.records.jsonl"] = f"{case.records.rstrip()}\n"
        files[f"{RESOURCES}/{number}.expected.jsonl"] = f"{case.expected.rstrip()}\n"
    return files


JUNIT = ("org.junit.jupiter.api.DisplayName", "org.junit.jupiter.api.Test")


def _test(number: int, case: KeptCase) -> Iterator[str]:
    yield "\n    @Test\n"
    yield f"    @DisplayName({quote_text(case.name)})\n"
    yield f"    void case{number}() throws Exception {{\n"
    yield f"        cases().check({number});\n    }}\n"
