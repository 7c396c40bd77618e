"""Whether the newest records of a topic can be decoded, as their source would read them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from designer.issues import Fix, Issue
from designer.messages import FixCode
from designer.streams.formats import SCHEMA_FORMATS
from designer.streams.inference import infer
from designer.streams.topics import ReadsTopic
from designer.values.schemas import Schema, SchemaId, Side, SideName
from runner.control.clusters.issue_codes import ClusterIssueCode
from runner.engine.formats import DecodeError
from runner.engine.formats.framing import KEY_HEADER, NO_FRAME, VALUE_HEADER, find_frame_in
from runner.engine.formats.sides import make_decoder_of
from runner.kafka.values import Message

HEADER: Mapping[SideName, str] = {"key": KEY_HEADER, "value": VALUE_HEADER}
Content = tuple[bytes, Sequence[tuple[str, bytes | None]]]
"""A key or value, and the headers of its record."""


def find_undecoded(
    node: str, source: ReadsTopic, topic: str, messages: Sequence[Message], learned: Schema | None = None
) -> Iterator[Issue]:
    """One issue for the keys and one for the values if most cannot be decoded. It does not prevent a deploy.

    A few broken records are what dead letters are for. Without the `learned` schema of the source, the messages say
    what the form leaves open.
    """
    likely = infer((message.key, message.value) for message in messages)
    schema = source.read(learned or likely)
    yield from _find_misfit(node, topic, "key", schema.key, likely.key, messages)
    yield from _find_misfit(node, topic, "value", schema.value, likely.value, messages)


def _find_misfit(
    node: str, topic: str, name: SideName, side: Side, likely: Side, messages: Sequence[Message]
) -> Iterator[Issue]:
    contents = [(data, message.headers) for message in messages if (data := getattr(message, name)) is not None]
    problems = _find_problems(name, side, contents)
    if len(problems) * 2 <= len(contents):
        return
    better = likely.format if likely.format != side.format and not _find_problems(name, likely, contents) else None
    is_framed = _has_ids(better, [find_frame_in(*each, HEADER[name]).id for each in contents])
    better = None if is_framed else better
    yield Issue(
        ClusterIssueCode.RECORDS_UNDECODED,
        {
            "undecoded": len(problems),
            "present": len(contents),
            "side": name,
            "topic": topic,
            "format": side.format,
            "problem": problems[0],
            "better": better,
            "beginning": "the id of a schema" if is_framed else None,
        },
        node=node,
        field=f"{name}_format",
        fix=None if better is None else Fix(FixCode.USE, better, f"`{better}`"),
    )


def _has_ids(likely_format: str | None, ids: Sequence[SchemaId | None]) -> bool:
    """True if contents that look like `bytes` or `long` begin with ids of schemas.

    A long below 2^56 begins as an id does. But small ones have id 0, which no registry gives, and others seldom one id.
    """
    is_like_a_number = likely_format == "long" and (len({*ids}) > 1 or 0 in ids)
    return likely_format in ("bytes", "long") and None not in ids and not is_like_a_number


def _find_problems(name: SideName, side: Side, contents: Sequence[Content]) -> list[str]:
    """Why contents cannot be decoded. Of records whose schema only a registry has, only a missing id is known."""
    if side.format in SCHEMA_FORMATS and side.schema is None:
        return []  # the form lacks its schema, which is another issue
    decode = make_decoder_of(side)
    problems = []
    for data, headers in contents:
        if side.schema is not None and side.schema.registry and find_frame_in(data, headers, HEADER[name]) != NO_FRAME:
            continue
        try:
            decode(data)
        except DecodeError as error:
            problems.append(error.message)
    return problems
