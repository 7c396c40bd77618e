"""Reads the text of `Topology.describe()`: its sources, processors and sinks, and the steps before each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from designer.refusal_codes import RefusalCode
from designer.refusals import Refusal
from designer.topology.graph import MAX_NODES

MAX_STEPS = 5 * MAX_NODES
"""A call of the DSL seldom has more than five lines of the text. A foreign-key join has ten."""
FACTS = {"Source": ("topics",), "Processor": ("stores",), "Sink": ("topic", "extractor class")}
"""The names in brackets after the name, by the kind of line."""
WHOLE = "Paste all that `topology.describe()` prints."


class Undescribed(Refusal):
    """The text is not Kafka Streams' output. The message names the line and the expected content."""

    code = RefusalCode.DESCRIPTION_MALFORMED
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
        return [name for name in inner.split(", ") if name]


def is_description(text: str) -> bool:
    """Whether the text is a description. A log may have put something before its first line."""
    return next(_read_lines(text), (0, ""))[1].endswith("Topologies:")


def read(text: str) -> dict[str, DescribedStep]:
    """The steps by name, in their order. Raises Undescribed."""
    if not is_description(text):
        raise Undescribed("The text does not begin with the line `Topologies:`.", WHOLE)
    steps: dict[str, DescribedStep] = {}
    step, is_global = None, False
    for number, line in list(_read_lines(text))[1:]:
        head, _, rest = line.partition(" ")
        if head == "Sub-topology:":
            step, is_global = None, "for global store" in rest
        elif head.removesuffix(":") in FACTS:
            step = _read_step(number, head.removesuffix(":"), rest, is_global)
            if step.name in steps:
                raise Undescribed(f"Line {number} repeats `{step.name[:80]}`.", "Import one topology at a time.")
            steps[step.name] = step
            if len(steps) > MAX_STEPS:
                raise Undescribed(f"The text has more than {MAX_STEPS} sources, processors and sinks.", "Split it.")
        elif head in ("-->", "<--") and step is not None:
            names = [] if rest == "none" else rest.split(", ")
            (step.after if head == "-->" else step.before).extend(names)
        else:
            choices = "a Sub-topology, Source, Processor or Sink, or what comes after (`-->`) or before it (`<--`)"
            raise Undescribed(f"Line {number} is `{line[:80]}`; expected {choices}.", WHOLE)
    _check_arrows(steps)
    return steps


def _read_lines(text: str) -> Iterator[tuple[int, str]]:
    return ((number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip())


def _read_step(line: int, role: str, rest: str, is_global: bool) -> DescribedStep:
    """`orders (topics: [orders, orders-eu])` as a step."""
    name, _, behind = rest.partition(" (")
    fact_name, colon, fact = behind.partition(": ")
    if not (name and colon and fact_name in FACTS[role] and fact.endswith(")")):
        choices = " or ".join(f"`{role}: name ({each}: …)`" for each in FACTS[role])
        raise Undescribed(f"Line {line} is `{role}: {rest[:80]}`; expected {choices}.", WHOLE)
    return DescribedStep(role, name, line, fact[:-1], fact_name == "extractor class", is_global)


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
