"""Texts that are no description are refused with the line, what was expected and the next step."""

from __future__ import annotations

import re
import time

import pytest

from designer.topology.graph import MAX_NODES
from runner.export.describe.skeleton import draw_skeleton
from runner.export.describe.text import MAX_STEPS, Undescribed, read

TEXT = """Topologies:
   Sub-topology: 0
    Source: orders (topics: [orders])
      --> large
    Processor: large (stores: [])
      --> out
      <-- orders
    Sink: out (topic: large-orders)
      <-- large
"""


@pytest.mark.parametrize("text", [TEXT, TEXT.replace("\n", "\r\n"), f"\n12:00 INFO my.App - {TEXT}\n\n"])
def test_a_text_is_read_as_it_comes_from_a_log_or_from_windows(text: str) -> None:
    steps = read(text)

    assert [(step.role, step.name, step.before) for step in steps.values()] == [
        ("Source", "orders", []),
        ("Processor", "large", ["orders"]),
        ("Sink", "out", ["large"]),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no line `Topologies:` or `Sub-topology: 0`"),
        ("{}", "has no line `Topologies:` or `Sub-topology: 0`"),
        ("Topologies:\n", "no Source, Processor or Sink"),
        (TEXT.replace("Sub-topology: 0", "Sub-tropology: 0"), "Line 2 is `Sub-tropology: 0`; expected a Sub-topology"),
        (TEXT.replace(" (stores: [])", ""), "Line 5 is `Processor: large`; expected `Processor: name (stores: …)`"),
        (TEXT.replace("(topic: l", "(store: l"), "expected `Sink: name (topic: …)` or `Sink: name (extractor"),
        (TEXT.replace("--> large", "--> small"), "Line 3 has `orders` beside `small`, which is nowhere in the text"),
        (TEXT.replace("      <-- orders\n", ""), "Line 5: `large` has no arrow, or one too many"),
        (TEXT.replace("--> large", "--> large, out"), "Line 3 has `orders` beside `out`, which does not name"),
        (TEXT.replace("Source: orders", "Source: out"), "Line 8 repeats `out`"),
        (TEXT.replace("large", "a-join-this"), "Line 5: `a-join-this` is named like an internal step"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(Undescribed, match=re.escape(message)) as refused:
        draw_skeleton(text)

    assert refused.value.hint


def test_records_that_would_go_round_are_refused() -> None:
    text = TEXT.replace("--> out\n      <-- orders", "--> out, again\n      <-- orders, again")
    text += "    Processor: again (stores: [])\n      --> large\n      <-- large\n"

    with pytest.raises(Undescribed, match="the output of `large` leads back into it"):
        draw_skeleton(text)


@pytest.mark.parametrize("count", [MAX_NODES, MAX_STEPS])
def test_more_than_a_graph_holds_is_refused(count: int) -> None:
    with pytest.raises(Undescribed, match="more than"):
        draw_skeleton(chain(count))


def test_a_text_as_large_as_may_be_is_judged_in_no_time() -> None:
    """Diamonds of tables, which have a path for each subset of their rows, and one line of a megabyte."""
    start = time.process_time()

    draw_skeleton(diamonds(150))
    with pytest.raises(Undescribed):
        draw_skeleton(f"{TEXT}    Source: {' (topics: ' * 100_000}")

    assert time.process_time() - start < 2


def chain(count: int) -> str:
    names = ["orders", *(f"filter-{number}" for number in range(count))]
    rows = ["Topologies:", "Source: orders (topics: [orders])", "--> filter-0"]
    for before, name, after in zip(names, names[1:], [*names[2:], "none"], strict=False):
        rows += [f"Processor: {name} (stores: [])", f"--> {after}", f"<-- {before}"]
    return "\n".join(rows)


def diamonds(count: int) -> str:
    """A table, then pairs of filters that each read both of the pair before, and a join with the table's store."""
    pairs = [[f"KTABLE-FILTER-{number:09}{side}" for side in (0, 1)] for number in range(count)]
    levels = [["KTABLE-SOURCE-0000000000"], *pairs]
    rows = ["Topologies:", "Source: s (topics: [t])", f"--> {levels[0][0]}", "Source: o (topics: [o])"]
    rows += ["--> KSTREAM-JOIN-0000000001", "Processor: KSTREAM-JOIN-0000000001 (stores: [t-store])", "<-- o"]
    rows += [f"Processor: {levels[0][0]} (stores: [t-store])", "<-- s", f"--> {', '.join(levels[1])}"]
    for before, level, after in zip(levels, levels[1:], [*levels[2:], []], strict=False):
        for name in level:
            rows += [f"Processor: {name} (stores: [])", f"<-- {', '.join(before)}", f"--> {', '.join(after) or 'none'}"]
    return "\n".join(rows)
