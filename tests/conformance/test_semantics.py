"""docs/semantics.md, the page of what differs: each row shows it, and the cases that show the rest are all counted."""

from __future__ import annotations

from pathlib import Path

from tests.conformance.kept import CASES
from tests.conformance.product.translation import why_alone

PAGE = (Path(__file__).parents[2] / "docs" / "semantics.md").read_text()


def test_each_difference_has_an_example():
    differences = PAGE.partition("## Kafka Streams' settings")[0]
    examples = [line.split(" | ")[-1].strip(" |") for line in differences.splitlines() if line.startswith("| ")]

    assert len(examples) > 40
    assert [example for example in examples if len(example) < len("example")] == []


def test_the_cases_are_counted():
    alone = sum(1 for case in CASES if why_alone(case))

    assert f"{len(CASES)} cases answered by Kafka Streams" in PAGE
    assert f"but for {alone} that count bytes or read what they write" in PAGE
