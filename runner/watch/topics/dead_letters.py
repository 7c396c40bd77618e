"""Dead letters for a viewer: the facts about the failed record in the headers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from typing_extensions import TypedDict

from runner.control.clusters.schemas import MessageOut
from runner.engine.tasks.errors import PREFIX
from runner.kafka import Message
from runner.watch.topics.tail import match_anything

NO_REASON = "No reason was given."
FIRST = f"{PREFIX}exception"
"""The first header of a failure's story."""


class DeadLetterDetails(TypedDict):
    """Why a node failed a record, and where the record came from; null if the dead letter does not say.

    `output_topic` is the topic that did not take it, `at` when it failed, in ms since 1970. `is_input`: the dead letter
    holds the record as it was read, not what nodes made of it.
    """

    node: str | None
    reason: str
    exception: str | None
    topic: str | None
    partition: int | None
    offset: int | None
    output_topic: str | None
    at: int | None
    is_input: bool


class DeadLetter(MessageOut):
    """A record of the dead-letter topic, with what its headers say."""

    letter: DeadLetterDetails


class DeadLetters(TypedDict):
    """Dead letters as they are tailed; `skipped` counts those that are not shown."""

    type: Literal["records"]
    records: list[DeadLetter]
    skipped: int


def read_dead_letter(message: Message) -> DeadLetterDetails:
    """Node, reason, exception, and the record's source and target. Null without a header.

    A record that failed twice has both stories. The last one counts.
    """
    headers = {
        name: (content or b"").decode(errors="replace") for name, content in message.headers[_find_start(message) :]
    }
    return {
        "node": headers.get(f"{PREFIX}node"),
        "reason": headers.get(f"{PREFIX}message") or NO_REASON,
        "exception": headers.get(f"{PREFIX}exception"),
        "topic": headers.get(f"{PREFIX}topic"),
        "partition": _parse_number(headers.get(f"{PREFIX}partition")),
        "offset": _parse_number(headers.get(f"{PREFIX}offset")),
        "output_topic": headers.get(f"{PREFIX}output.topic"),
        "at": _parse_number(headers.get(f"{PREFIX}at")),
        "is_input": f"{PREFIX}input" in headers,
    }


def without_story(message: Message) -> Message:
    """The record with its headers from before the failure."""
    return replace(message, headers=message.headers[: _find_start(message)])


def _find_start(message: Message) -> int:
    """Index of the last story's first header, or of the end without a story."""
    places = [number for number, (name, _) in enumerate(message.headers) if name == FIRST]
    return places[-1] if places else len(message.headers)


def with_dead_letter(message: Message) -> DeadLetter:
    return DeadLetter(**MessageOut.of(message).model_dump(), letter=read_dead_letter(message))


def of_node(node: str | None) -> Callable[[Message], bool]:
    """Whether a dead letter is from that node. Without a node, always."""
    return match_anything if node is None else lambda message: read_dead_letter(message)["node"] == node


def _parse_number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None
