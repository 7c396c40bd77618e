"""What users' Python asks the world outside, and how it answered: a batch that is done again takes the same answers.

An answer is found again by what was asked (`Asked`): the node, its task, the source record, the function with its
arguments, and how often that was asked before. Nothing of a layout is in it, so another version of a topology finds the
answers that the running one got. What it asks beyond that is not known, and is never made up (`AnswerNotRecorded`).
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import Any, NamedTuple

from runner.engine.planning.layers import find_original
from runner.engine.records.codecs import pack, unpack
from runner.engine.records.plain import NotPlain, copy_plain
from runner.engine.records.record import Origin

MAX_ANSWER = 256 << 10
"""Most bytes of one answer, packed."""
MAX_BYTES = 4 << 20
"""Most bytes of answers that one call of a worker records. It gives later ones, too, but does not record them."""
MAX_QUESTION = 400
"""Longest question as it is. A longer one ends in a hash."""
SentAnswers = list[Any]
"""The members of an `Asked`, with those of its origin, then the outcomes in order, in base64. It travels as JSON."""


class SideEffectFailed(Exception):
    """The function of a side effect raised an exception, or gave what cannot be recorded."""


class AnswerNotRecorded(Exception):
    """A batch that is executed again asks what was not asked, or not recorded, the first time."""


class Asked(NamedTuple):
    """A question. A clone of a node asks for itself.

    Without a source record, `origin` is that of a punctuator: no topic, and its time (ms) as offset.
    """

    node: str
    task: int
    origin: Origin
    question: str


def write_question(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """A function and its arguments as text. Raises TypeError if that would not say what is asked.

    >>> import math
    >>> write_question(math.sqrt, (2.0,))
    'sqrt(2.0)'
    """
    name = getattr(function, "__name__", "")
    if not name or name == "<lambda>":
        raise TypeError(
            "side_effect() takes a function that has a name, then its arguments, because these say what was asked: "
            "self.context.side_effect(find_price, currency)."
        )
    try:
        text = f"{name}({', '.join(map(repr, map(copy_plain, arguments)))})"
    except NotPlain as error:
        raise TypeError(f"An argument of side_effect() must be what a record can hold. {error}") from error
    if len(text) <= MAX_QUESTION:
        return text
    return f"{text[:MAX_QUESTION]}… {blake2b(text.encode(), digest_size=16).hexdigest()}"


class SideEffects:
    """Calls functions and records nothing, as trials and test drivers do."""

    def call(self, asked: Asked, function: Callable[[], Any]) -> Any:
        """Return the answer. Raises SideEffectFailed."""
        return _read_outcome(_call(function))


class RecordedCalls(SideEffects):
    """Calls functions and records the outcomes, as a run does. One object serves one call of a worker."""

    def __init__(self) -> None:
        self.outcomes: dict[Asked, list[bytes]] = {}
        self.size = 0

    def call(self, asked: Asked, function: Callable[[], Any]) -> Any:
        outcome = _call(function)
        self.size += len(outcome) + len(asked.question) + len(asked.node)
        if self.size <= MAX_BYTES:  # once it is full it stays full: a gap would shift the answers behind it
            self.outcomes.setdefault(asked, []).append(outcome)
        return _read_outcome(outcome)

    def list_sent(self) -> list[SentAnswers]:
        """Return all that was recorded."""
        return [
            [asked.node, asked.task, *asked.origin, asked.question, [base64.b64encode(each).decode() for each in of]]
            for asked, of in self.outcomes.items()
        ]


class KnownAnswers(SideEffects):
    """Gives the recorded answers of one batch, and never calls a function."""

    def __init__(self, sent: Iterable[SentAnswers]) -> None:
        self.outcomes = dict(_read_sent(sent))
        self.taken: Counter[Asked] = Counter()
        self.missing: Counter[str] = Counter()
        """By node, how often it asked for what was not recorded."""

    def call(self, asked: Asked, function: Callable[[], Any]) -> Any:
        """Return the recorded answer. Raises SideEffectFailed, AnswerNotRecorded."""
        number = self.taken[asked]
        self.taken[asked] += 1
        outcomes = self.outcomes.get(asked, [])
        if number >= len(outcomes):
            self.missing[node := find_original(asked.node)] += 1
            raise AnswerNotRecorded(f"`{node}` asked for what was not recorded: {asked.question}")
        return _read_outcome(outcomes[number])


def _read_sent(sent: Iterable[SentAnswers]) -> Iterator[tuple[Asked, list[bytes]]]:
    for node, task, topic, partition, offset, question, outcomes in sent:
        yield Asked(node, task, Origin(topic, partition, offset), question), [*map(base64.b64decode, outcomes)]


def _call(function: Callable[[], Any]) -> bytes:
    """Return the outcome of a function: its answer, or that it failed. An answer that is recorded is not the object."""
    try:
        outcome = pack([True, copy_plain(function())])
        if len(outcome) <= MAX_ANSWER:
            return outcome
        problem = f"The answer has {len(outcome):,} bytes; at most {MAX_ANSWER:,} can be recorded."
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    return pack([False, problem.encode(errors="replace").decode()[:1_000]])


def _read_outcome(outcome: bytes) -> Any:
    is_answer, value = unpack(outcome)
    if not is_answer:
        raise SideEffectFailed(value)
    return value
