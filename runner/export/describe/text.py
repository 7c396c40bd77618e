"""Reads the text of `Topology.describe()`: its sources, processors and sinks, and the steps before each.

People paste the text as they find it: as JSON of Spring Boot's `/actuator/kafkastreamstopology`, quoted in a mail,
as a comment or a string in Java, in one line, or as Kafka 1.0 printed it. `_read_lines` undoes all that first.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from designer.refusals import Refusal
from designer.topology.graph import MAX_NODES
from runner.export.codes import ExportCode

MAX_STEPS = 5 * MAX_NODES
"""A call of the DSL seldom has more than five lines of the text. A foreign-key join has ten."""
FACTS = {"Source": ("topics",), "Processor": ("stores",), "Sink": ("topic", "extractor class")}
"""The names in brackets after the name, by the kind of line."""
WHOLE = "Paste all that `topology.describe()` prints."


class Undescribed(Refusal):
    """The text is not Kafka Streams' output. The message names the line and the expected content."""

    code = ExportCode.DESCRIPTION_MALFORMED
    status = 422


@dataclass(slots=True)
class DescribedStep:
    """A source, processor or sink of Kafka Streams. `before` and `after` are the names of its neighbours."""

    role: str
    name: str
    line: int
    fact: str
    """Names of topics or stores, a pattern, or the class that chooses the topic."""
    chooses: bool = False
    is_global: bool = False
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names in the brackets. Empty for a pattern."""
        inner = self.fact[1:-1] if self.fact.startswith("[") and self.fact.endswith("]") else ""
        return [name for name in re.split(r",\s*", inner) if name]


def read(text: str) -> dict[str, DescribedStep]:
    """The steps by name, in their order. Raises Undescribed."""
    lines = _read_lines(text)
    if not lines:
        raise Undescribed("The text has no line `Topologies:` or `Sub-topology: 0`.", WHOLE)
    steps: dict[str, DescribedStep] = {}
    step, is_global = None, False
    for number, head, rest in lines:
        role = head.removesuffix(":").capitalize()
        if role == "Sub-topology":
            step, is_global = None, "for global store" in rest
        elif role in FACTS:
            step = _read_step(number, role, rest, is_global)
            if step.name in steps:
                raise Undescribed(f"Line {number} repeats `{step.name[:80]}`.", "Import one topology at a time.")
            steps[step.name] = step
            if len(steps) > MAX_STEPS:
                raise Undescribed(f"The text has more than {MAX_STEPS} sources, processors and sinks.", "Split it.")
        elif head in ("-->", "<--") and step is not None:
            names = [] if rest in ("none", "") else re.split(r",\s*", rest)
            (step.after if head == "-->" else step.before).extend(names)
        elif head in ("-->", "<--", ""):
            choices = "a Sub-topology, Source, Processor or Sink, or what comes after (`-->`) or before it (`<--`)"
            line = f"{head} {rest}".strip()
            raise Undescribed(f"Line {number} is `{line[:80]}`; expected {choices}.", WHOLE)
    _check_arrows(steps)
    return steps


class DescribedLine(NamedTuple):
    """One fact of the text: `Source:` and what it says, or an arrow and its names. Without a head: what is unknown."""

    number: int
    head: str
    rest: str


HEAD = re.compile(r"(?<!\S)(?:(?:sub-)?topolog(?:y|ies)|global stores|source|processor|sink):(?=\s|$)|-->|<--", re.I)
BEGINNING = re.compile(r"(?<!\S)(?:(?:sub-)?topologies:(?=\s|$)|sub-topology:\s*\d)", re.I)
OF_CONTAINER = re.compile(r"\s*[\w.-]+\s+\|")
"""The beginning of a line in the log of several containers: `app-1  |`."""
QUOTING = " \t>*#/|\"'`+;,\\"
"""What stands around a line in a quote, a comment, or a string of Java."""
BREAKS = re.compile(r"(?<!\\)\\+(?:r\\+n|[nr])")
ESCAPES = re.compile(r"""(?<!\\)\\+(?:u([0-9a-fA-F]{4})|t|(["'/<>]))""")
MAX_FACT = 20_000
"""Characters of a fact that may still continue in the next line."""


def _read_lines(text: str) -> list[DescribedLine]:
    """The facts from the first `Topologies:` or `Sub-topology:` on. Empty if the text has neither.

    A fact that is cut in the middle (`--> a,` or an open bracket) continues in the next line. A code fence ends
    the text.
    """
    lines: list[DescribedLine] = []
    for number, whole in enumerate(_undo_quoting(text).splitlines(), start=1):
        if lines and whole.lstrip("> \t").startswith("```"):
            break
        start = OF_CONTAINER.match(whole) if lines else BEGINNING.search(whole)
        if not lines and start is None:
            continue
        line = whole[start.end() if lines else start.start() :] if start else whole
        if line.rstrip().endswith(('",', "',")):  # a string in a list, not a fact that continues in the next line
            line = line.rstrip()[:-1]
        for part in _split_facts(number, line.lstrip(QUOTING).rstrip(QUOTING.replace(",", ""))):
            if part.head == "" and lines and _is_cut(lines[-1]):
                lines[-1] = lines[-1]._replace(rest=f"{lines[-1].rest} {part.rest}")
            elif part.head or not (part.rest == "none" and lines[-1].head.lower() == "global stores:"):
                lines.append(part)
    return lines


def _split_facts(number: int, line: str) -> Iterator[DescribedLine]:
    heads = list(HEAD.finditer(line))
    if before := line[: heads[0].start() if heads else None].strip():
        yield DescribedLine(number, "", before)
    for at, match in enumerate(heads):
        end = heads[at + 1].start() if at + 1 < len(heads) else None
        yield DescribedLine(number, match[0], line[match.end() : end].strip())


def _is_cut(line: DescribedLine) -> bool:
    rest = line.rest
    return len(rest) < MAX_FACT and (rest.endswith(",") or rest.count("(") > rest.count(")"))


def _undo_quoting(text: str) -> str:
    """The text of a JSON value, of a string with escapes, or of a page of HTML. Other text stays as it is."""
    if text.lstrip()[:1] in ('"', "[", "{"):
        try:
            strings = list(_find_strings(json.loads(text)))
        except (ValueError, RecursionError):
            strings = []
        whole = [each for each in strings if BEGINNING.search(each) and "-->" in each]
        text = "\n".join(whole or strings) or text
    if len(BREAKS.findall(text)) > 1:
        text = ESCAPES.sub(
            lambda match: chr(int(match[1], 16)) if match[1] else match[2] or " ", BREAKS.sub("\n", text)
        )
    return html.unescape(text) if "--&gt;" in text or "&lt;--" in text else text


def _find_strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _find_strings(each)


def _read_step(line: int, role: str, rest: str, is_global: bool) -> DescribedStep:
    """`orders (topics: [orders, orders-eu])` as a step. Kafka 1.0 printed `orders(topics: orders, orders-eu)`."""
    name, space, behind = rest.partition(" (")
    if not space:
        name, _, behind = rest.partition("(")
    fact_name, colon, fact = behind.partition(": ")
    if not (name and colon and fact_name in FACTS[role] and fact.endswith(")")):
        choices = " or ".join(f"`{role}: name ({each}: …)`" for each in FACTS[role])
        raise Undescribed(f"Line {line} is `{role}: {rest[:80]}`; expected {choices}.", WHOLE)
    fact = fact[:-1]
    if not space and fact_name == "topics" and not fact.startswith("["):
        fact = f"[{fact}]"
    return DescribedStep(role, name, line, fact, fact_name == "extractor class", is_global)


def _check_arrows(steps: dict[str, DescribedStep]) -> None:
    """Both ends name each arrow, which reveals missing lines."""
    if not steps:
        raise Undescribed("The text has no Source, Processor or Sink.", WHOLE)
    for name, step in steps.items():
        if (step.role == "Source") != (not step.before) or (step.role == "Sink" and step.after):
            raise Undescribed(f"Line {step.line}: `{name[:80]}` has no arrow, or one too many.", WHOLE)
    forward_arrows = {(name, each) for name, step in steps.items() for each in step.after}
    backward_arrows = {(each, name) for name, step in steps.items() for each in step.before}
    for name, other in sorted(
        forward_arrows ^ backward_arrows, key=lambda pair: (pair[0] in steps and pair[1] in steps, pair)
    ):
        present, missing = (name, other) if (name, other) in forward_arrows else (other, name)
        at = steps[present].line
        what = f"does not name `{present[:80]}` in its own lines" if missing in steps else "is nowhere in the text"
        raise Undescribed(f"Line {at} has `{present[:80]}` beside `{missing[:80]}`, which {what}.", WHOLE)


def find_names_after(steps: dict[str, DescribedStep], befores: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The steps after each step, from those before each."""
    after: dict[str, list[str]] = {name: [] for name in steps}
    for name, every in befores.items():
        for each in every:
            after[each].append(name)
    return after
