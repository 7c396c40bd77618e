"""The text of `describe()` is read as people find it: quoted, escaped, in one line, or from an old Kafka Streams."""

from __future__ import annotations

import json
import time

import pytest

from runner.export.describe.skeleton import draw_skeleton
from runner.export.describe.text import Undescribed
from tests.runner.export.descriptions.sketch import described, lines

EXPECTED = described("wrapped.txt")["as Kafka Streams prints it"]
BARE = EXPECTED.removeprefix("Topologies:\n")


def prefixed(prefix: str) -> str:
    return "\n".join(f"{prefix}{line}" for line in EXPECTED.splitlines())


WRAPPED: dict[str, str] = {
    "a list of the actuator": json.dumps([EXPECTED]),
    "a value of a JSON object": json.dumps({"application": "meters", "topology": {"text": EXPECTED}}, indent=2),
    "a JSON list of lines": json.dumps(EXPECTED.splitlines(), indent=1),
    "a JSON string that is escaped twice": json.dumps(json.dumps(EXPECTED)),
    "escapes without quotes": json.dumps(EXPECTED)[1:-1],
    "escapes of Gson": json.dumps(EXPECTED).replace(">", "\\u003e").replace("<", "\\u003c"),
    "a string of Java": " +\n".join(f'    "{line}\\n"' for line in EXPECTED.splitlines()) + ";",
    "a quoted mail": prefixed("> "),
    "a quoted mail, deeper": prefixed(">> "),
    "a comment of Java": f"/*\n{prefixed(' * ')}\n */",
    "a comment of lines": prefixed("// "),
    "a comment of Python": prefixed("# "),
    "a code fence": f"This is the topology:\n\n```text\n{EXPECTED}```\n\nSource: the README.\n",
    "a log of a container": prefixed("app-1  | "),
    "a log": f"2026-11-28 09:00:01 INFO my.App - {EXPECTED}",
    "HTML": EXPECTED.replace(">", "&gt;").replace("<", "&lt;"),
    "a lower case line": EXPECTED.replace("Topologies:", "topologies:"),
    "lower case": EXPECTED.replace("Topologies:", "topologies:")
    .replace("Source:", "source:")
    .replace("Processor:", "processor:")
    .replace("Sink:", "sink:"),
    "no first line": BARE,
    "one line": " ".join(EXPECTED.split()),
    "arrows in the line": EXPECTED.replace("\n      -->", " -->").replace("\n      <--", " <--"),
    "Kafka 1.0": "Sub-topologies: \n"
    + BARE.replace("[meter-readings]", "meter-readings").replace(" (", "(").replace("\n      ", " ")
    + "Global Stores:\n  none\n",
    "cut in the middle": EXPECTED.replace("JOINTHIS-0000000004, ", "JOINTHIS-0000000004,\n        ").replace(
        "(stores: [", "(stores:\n  ["
    ),
    "Windows": EXPECTED.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("text", WRAPPED.values(), ids=WRAPPED)
def test_wrapping_is_undone_before_the_text_is_read(text: str) -> None:
    assert lines(draw_skeleton(text).graph) == lines(draw_skeleton(EXPECTED).graph)


@pytest.mark.parametrize("name", [name for name in described("wrapped.txt") if name != "as Kafka Streams prints it"])
def test_texts_that_users_reported_are_read(name: str) -> None:
    assert lines(draw_skeleton(described("wrapped.txt")[name]).graph) == lines(draw_skeleton(EXPECTED).graph)


@pytest.mark.parametrize(
    "text",
    [
        "\\" * 500_000,
        f"{EXPECTED}{' ' * 500_000}x",
        f"{EXPECTED}    Source: a (topics:\n" + "x,\n" * 200_000,
        "[" * 500_000,
    ],
    ids=["backslashes", "spaces", "lines that continue", "brackets"],
)
def test_a_large_text_that_is_no_description_is_refused_in_no_time(text: str) -> None:
    start = time.process_time()

    with pytest.raises(Undescribed):
        draw_skeleton(text)

    assert time.process_time() - start < 2
