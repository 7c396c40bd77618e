"""The schemas of a topic in its cluster's registry: those of its newest records, else those that its name gives."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from designer import protobuf
from designer.expressions.types import describe
from designer.issues import SchemaNotRead
from designer.refusals import Refusal
from designer.streams.flows import make_operator
from designer.streams.formats import find_schema_format, inline_references
from designer.streams.topics import ReadsTopic
from designer.topology.graph import Graph
from designer.values.schemas import RegistrySchemas, SchemaId, SchemaText, Type
from runner.engine.formats.errors import DecodeError
from runner.engine.formats.framing import KEY_HEADER, VALUE_HEADER, Frame, find_frame_in
from runner.engine.formats.protobuf.indexes import find_message
from runner.kafka import Message
from runner.registry import Registry, SchemaMissing

log = logging.getLogger(__name__)
Side = Literal["key", "value"]
HEADERS: Mapping[Side, str] = {"key": KEY_HEADER, "value": VALUE_HEADER}
NOTHING: Mapping[Side, str] = {}
Framed = tuple[bytes, Frame]
"""The bytes of a key or value, and the frame in them."""
MAX_IDS = 20
"""Most schemas of one topic that are looked up for a form."""


class TopicSchema(NamedTuple):
    """A schema of a topic's keys or values. `records` is how many of the newest records are written with it.

    `newest` is the newest version of its subject, and `changes` what that one changes. `messages` are the messages of
    Protobuf that these records hold, or the first one of a schema without records.
    """

    side: Side
    subject: str
    version: int
    id: int
    kind: str
    text: str
    records: int
    newest: int
    changes: list[str]
    messages: list[str]

    def find_type(self) -> Type | None:
        """The type of what it describes. None if it is not read."""
        schema_format = find_schema_format(self.kind)
        try:
            return None if schema_format is None else schema_format.read_type(self.text)
        except SchemaNotRead:
            return None


def find_topic_schemas(
    registry: Registry, topic: str, messages: Iterable[Message], by_hand: Mapping[Side, str] = NOTHING
) -> list[TopicSchema]:
    """Asks the registry. `by_hand` names the subjects of some sides. Raises the refusals of `runner.registry`."""
    records: dict[Side, dict[SchemaId, list[Framed]]] = {"key": {}, "value": {}}
    for message in messages:
        for side, number, framed in _find_frames(message):
            records[side].setdefault(number, []).append(framed)
    found: list[TopicSchema] = []
    for side, ids in records.items():
        if by_hand.get(side):
            found += _find_newest(registry, by_hand[side], side)
            continue
        of_records = [
            schema
            for number, own in sorted(ids.items(), key=lambda each: -len(each[1]))[:MAX_IDS]
            if (schema := _find_by_id(registry, topic, side, number, own)) is not None
        ]
        found += of_records or _find_by_name(registry, topic, side)
    return found


def find_ids(message: Message) -> Iterator[tuple[Side, SchemaId]]:
    """The schema ids of a record's key and value."""
    return ((side, number) for side, number, _ in _find_frames(message))


def _find_frames(message: Message) -> Iterator[tuple[Side, SchemaId, Framed]]:
    contents: dict[Side, bytes | None] = {"key": message.key, "value": message.value}
    for side, content in contents.items():
        if content:
            frame = find_frame_in(content, message.headers, HEADERS[side])
            if frame.id is not None:
                yield side, frame.id, (content, frame)


def fetch_schemas(registry: Registry | None, graph: Graph, messages: Iterable[Message]) -> RegistrySchemas:
    """The schemas of records, if a source of the graph looks them up.

    It has no id that the registry does not know. If the registry does not answer, records with unknown ids fail in a
    trial, with a message that says so.
    """
    sources = (make_operator(node) for node in graph.nodes)
    if registry is None or not any(isinstance(each, ReadsTopic) and each.schema_registry for each in sources):
        return {}
    schemas: dict[SchemaId, SchemaText] = {}
    for number in {number for message in messages for _, number in find_ids(message)}:
        try:
            schemas[number] = registry.schema(number) if isinstance(number, int) else registry.schema_of_guid(number)
        except SchemaMissing:
            continue
        except Refusal as refusal:
            log.warning("Schema %s is not known in a trial: %s", number, refusal.message)
            break
    return schemas


def to_json(schemas: RegistrySchemas) -> dict[str, list[Any]]:
    """Schemas for another process: what `SchemaText.from_json` reads, by the id as text."""
    return {str(number): list(schema) for number, schema in schemas.items()}


def _find_by_id(
    registry: Registry, topic: str, side: Side, known: SchemaId, records: Sequence[Framed]
) -> TopicSchema | None:
    """None if the registry has no such id: other bytes may begin with a zero, too."""
    try:
        number = known if isinstance(known, int) else registry.find_id(known)
        if number is None:
            return None
        places = registry.find_places(number)
        schema = registry.schema(number)
    except SchemaMissing:
        return None
    own = f"{topic}-{side}"
    subject, version = next((place for place in places if place[0] == own), places[0] if places else ("", 0))
    return _make(registry, side, subject, version, number, schema, records)


def _find_by_name(registry: Registry, topic: str, side: Side) -> list[TopicSchema]:
    """The newest schema of the subject that the registry associates with the topic, or that has its name."""
    return _find_newest(registry, registry.find_associated(topic, side) or f"{topic}-{side}", side)


def _find_newest(registry: Registry, subject: str, side: Side) -> list[TopicSchema]:
    try:
        found = registry.version(subject)
    except SchemaMissing:
        return []
    return [_make(registry, side, subject, found.version, found.id, found.schema, ())]


def _make(
    registry: Registry,
    side: Side,
    subject: str,
    version: int,
    number: int,
    schema: SchemaText,
    records: Sequence[Framed],
) -> TopicSchema:
    newest, changes = version, list[str]()
    text = inline_references(schema)
    if subject and records:
        latest = registry.version(subject)
        newest = latest.version
        if newest != version and schema.kind == latest.schema.kind:
            changes = describe_changes(text, inline_references(latest.schema), schema.kind)
    messages = _list_messages(text, records) if schema.kind == "PROTOBUF" else []
    return TopicSchema(side, subject, version, number, schema.kind, text, len(records), newest, changes, messages)


def _list_messages(text: str, records: Sequence[Framed]) -> list[str]:
    """The messages of records in the order of the schema. Empty if it is not read."""
    try:
        names = set[str]()
        for data, frame in records:
            with suppress(DecodeError):  # the record is not of this schema
                names.add(find_message(text, data, frame.start, frame.indexes)[0])
        every = [each.full_name for each in protobuf.list_main_messages(text)]
        return [name for name in every if name in names] or every[:1]
    except SchemaNotRead:
        return []


def describe_changes(old: str, new: str, kind: str = "AVRO") -> list[str]:
    """What a newer schema changes for who reads records, one sentence each. Empty if either is not read.

    >>> describe_changes(
    ...     '{"type": "record", "name": "A", "fields": [{"name": "a", "type": "int"}]}',
    ...     '{"type": "record", "name": "A", "fields": [{"name": "b", "type": "int", "default": 1}]}',
    ... )
    ['adds `b` (integer)', 'removes `a`']
    """
    schema_format = find_schema_format(kind)
    if schema_format is None:
        return []
    try:
        return list(compare_types(schema_format.read_type(old), schema_format.read_type(new)))
    except SchemaNotRead:
        return []


def compare_types(before: Type, after: Type, path: str = "") -> Iterator[str]:
    """What a newer type changes, one clause each, such as ``adds `note` (text)``."""
    if before.kind is not after.kind:
        if before != after:
            yield f"changes `{path}` from {describe(before)} to {describe(after)}" if path else "is another type"
        return
    if before.item is not None and after.item is not None:
        yield from compare_types(before.item, after.item, f"{path}[]")
        return
    old = {field.name: field.type for field in before.fields}
    new = {field.name: field.type for field in after.fields}
    prefix = f"{path}." if path else ""
    for name in (each for each in new if each not in old):
        yield f"adds `{prefix}{name}` ({describe(new[name])})"
    for name in (each for each in old if each not in new):
        yield f"removes `{prefix}{name}`"
    for name in (each for each in old if each in new):
        yield from compare_types(old[name], new[name], f"{prefix}{name}")
    if not before.fields and before != after:
        yield f"changes `{path}` from {describe(before)} to {describe(after)}"
