from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from pydantic import Field, model_validator

from designer.expressions.errors import RecordError
from designer.issues import Issue
from designer.messages import IssueCode
from designer.streams.formats import fits
from designer.streams.registering import KINDS, Registration, RegistryUse, Strategy, SubjectNames, list_uses
from designer.streams.topics import (
    HELP_OF_ENCODER,
    HELP_OF_SINK,
    KEY_MESSAGE,
    KEY_SCHEMA,
    KEY_SCHEMA_ID,
    SINK_HEADER,
    SINK_KEY_SUBJECT,
    SINK_REGISTRY,
    SINK_STRATEGY,
    SINK_VALUE_SCHEMA_ID,
    SINK_VALUE_SUBJECT,
    VALUE_MESSAGE,
    VALUE_SCHEMA,
    FormSchemaId,
    PastedSchema,
    SinkHeader,
    WritesTopic,
    choose_written_side,
    find_misused_registry,
    find_split_messages,
    find_unnumbered_headers,
    make_topic_misfit,
    read_schemas,
    without_prefix,
)
from designer.text import to_type_name
from designer.topology.catalogue import Flows, register
from designer.topology.forms import ExpressionText, Topic, make_error
from designer.topology.ports import Input, KStream
from designer.values.schemas import INTEGER, STRING, FormatName, Schema, Side, SideName, Type, struct
from runner.engine.formats import EncodeError, Encoder
from runner.engine.formats.framing import KEY_HEADER, VALUE_HEADER
from runner.engine.formats.written import Stamp, WrittenSide, make_written_side
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.planning.layout import Layout
from runner.engine.records.codecs import BOUNDS, TIMESTAMP
from runner.engine.records.context import RecordContext
from runner.engine.records.record import Emit
from runner.engine.tasks.errors import NotWritten
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

AS_JSON = (None, "json")
"""Formats of keys that agree with `windowed_key` json."""


@register
class To(WritesTopic):
    """Write the records of a KStream to a topic, with their keys, values, times and headers.

    `topic_expression` chooses the topic of each record (TopicNameExtractor). It must be one of `topics`, which must
    exist when the job is deployed. Put to_stream after a KTable first, as in Kafka Streams. If a source of the same
    topology reads the topic, the written records arrive there with a later batch.
    """

    icon = "log-out"
    summary = ("topic", "topic_expression", "topics")
    follows = 1
    step_prefixes = ("sink",)
    first_step = "write"
    is_usual = True
    more = ("topic_expression", "topics", "windowed_key", "create_if_missing", "partitions", "on_error")
    stream = Input(KStream)

    topic: Topic | None = Field(None, description=HELP_OF_SINK)  # type: ignore[assignment]
    topic_expression: ExpressionText | None = Field(
        None, description="Expression that gives the topic name for each record. Use it instead of Topic."
    )
    topics: tuple[Topic, ...] = Field(
        (), max_length=100, description="The topics that `topic_expression` may name. They must exist."
    )
    key_format: FormatName | None = Field(
        None,
        description=HELP_OF_ENCODER.format("key"),
        json_schema_extra={"empty_means": "as they arrive"},
    )
    value_format: FormatName | None = Field(
        None,
        description=HELP_OF_ENCODER.format("value"),
        json_schema_extra={"empty_means": "as they arrive"},
    )
    key_schema: PastedSchema | None = KEY_SCHEMA
    key_message: str | None = KEY_MESSAGE
    value_schema: PastedSchema | None = VALUE_SCHEMA
    value_message: str | None = VALUE_MESSAGE
    avro_header: SinkHeader = SINK_HEADER
    schema_registry: Registration = SINK_REGISTRY
    subject_strategy: Strategy = SINK_STRATEGY
    key_subject: str | None = SINK_KEY_SUBJECT
    value_subject: str | None = SINK_VALUE_SUBJECT
    key_schema_id: FormSchemaId | None = KEY_SCHEMA_ID
    value_schema_id: FormSchemaId | None = SINK_VALUE_SCHEMA_ID
    # JSON by default: readers outside Java cannot use the bytes of TimeWindowedSerializer, and a bare key would merge
    # windows in a compacted topic.
    windowed_key: Literal["json", "kafka", "key"] = Field(
        "json",
        description='How to write a windowed key. json: an object with "key", "start" and "end" (ms). '
        "kafka: the key, then 8 bytes of start; of a session, 8 of end and 8 of start. key: only the key.",
    )
    create_if_missing: bool = Field(True, description="Create the topic when the job is deployed.")
    partitions: int | None = Field(
        None,
        ge=1,
        le=10_000,
        description="Number of partitions of a created topic.",
        json_schema_extra={"empty_means": "the number of tasks"},
    )

    @model_validator(mode="after")
    def _somewhere_to_write(self) -> To:
        if self.topic is None and self.topic_expression is None:
            what = "the topic to write."
            raise make_error(
                Issue(IssueCode.FIELD_MISSING, {"field": "topic", "needed_by": None, "help": what}), "topic"
            )
        if self.topic is not None and self.topic_expression is not None:
            raise make_error(Issue(OperatorIssueCode.TOPIC_BOTH), "topic")
        if self.topic_expression is not None and not self.topics:
            raise make_error(Issue(OperatorIssueCode.TOPICS_MISSING), "topics")
        if self.topic is not None and self.topics:
            raise make_error(Issue(OperatorIssueCode.TOPICS_UNUSED), "topics")
        read_schemas(self)
        return self

    def topic_names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.topics)) if self.topic is None else (self.topic,)

    @property
    def may_create(self) -> bool:
        """True if missing topics are created when the job is deployed."""
        return self.create_if_missing and self.topic_expression is None

    def count_wanted_partitions(self) -> int | None:
        return self.partitions

    def find_schema_written(self, arriving: Schema) -> Schema:
        """Schema of the topic. Its `window` stays only with `windowed_key` kafka. `key` is then the inner key."""
        has_header = self.avro_header == "confluent" or (self.uses_registry and self.avro_header == "plain")
        value = choose_written_side(
            arriving.value, self.value_format, self.value_schema, self.value_message, has_header, self.value_schema_id
        )
        key = choose_written_side(
            arriving.key, self.key_format, self.key_schema, self.key_message, has_header, self.key_schema_id
        )
        if self.avro_header in ("id_header", "guid_header"):
            key, value = without_prefix(key), without_prefix(value)
        if arriving.window is None or self.windowed_key == "key":
            return Schema(key, value)
        if self.windowed_key == "json":
            return Schema(Side("json", _find_windowed_key(arriving.key.type)), value)
        return Schema(key, value, arriving.window)

    @property
    def uses_registry(self) -> bool:
        return self.schema_registry != "none"

    def find_registry_uses(self, arriving: Schema) -> Iterator[RegistryUse]:
        schema = self.find_schema_written(arriving)
        names = SubjectNames(self.subject_strategy, self.key_subject, self.value_subject)
        needs_guid = self.avro_header == "guid_header"
        for topic in self.topic_names():
            for use in (
                *list_uses(topic, "key", schema.key, self.schema_registry, names, self.key_schema_id),
                *list_uses(topic, "value", schema.value, self.schema_registry, names, self.value_schema_id),
            ):
                yield use._replace(needs_guid=needs_guid)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        schema = self.find_schema_written(inputs.only.schema)
        record = to_type_name(self.topic_names()[0])
        sides: tuple[tuple[SideName, Side, str], ...] = (
            ("key", schema.key, f"{record}Key"),
            ("value", schema.value, record),
        )
        for name, side, own in sides:
            if not fits(self._add_defaults(side)):
                yield make_topic_misfit(name, side, own)
        if not self.uses_registry:
            yield from find_unnumbered_headers(schema, self.avro_header)
        else:
            yield from find_misused_registry(schema, self.find_registry_uses(inputs.only.schema), self.subject_strategy)
        yield from find_split_messages(schema, self.avro_header, self.schema_registry, self.subject_strategy)
        if inputs.only.schema.window is not None and self.windowed_key == "json" and self.key_format not in AS_JSON:
            yield Issue(OperatorIssueCode.KEY_FORMAT_UNUSED, {"format": self.key_format}, field="key_format")

    def _add_defaults(self, side: Side) -> Side:
        """The side with the fields for which a schema of the registry has a default: such fields may be missing."""
        kind = KINDS.get(side.format) if self.schema_registry in ("latest", "id") else None
        schema = None if kind is None else kind.get_schema(side)
        if kind is None or schema is None:
            return side
        return replace(side, type=kind.add_defaults(schema, side.type))

    def processor(self, context: ProcessorContext) -> RecordWriter:
        topic_of = context.compile_optional("topic_expression", "key", "value", "timestamp")
        if topic_of is not None:
            return ChoosingWriter(context, self._write_topic, topic_of)
        return RecordWriter(context, self._write_topic(context, self.topic_names()[0]))

    def write_sides(self, layout: Layout, node: str, topic: str, schema: Schema) -> tuple[WrittenSide, WrittenSide]:
        """How the keys and values of a topic are written, with the ids that the deploy took from the registry."""
        of_topic = [each for each in layout.written if (each.node, each.topic) == (node, topic)]
        key = make_written_side(schema.key, "key", self.avro_header, of_topic)
        return key, make_written_side(schema.value, "value", self.avro_header, of_topic)

    def _write_topic(self, context: ProcessorContext, topic: str) -> TopicForm:
        """How records are written to a topic."""
        arriving = context.inputs.only.schema
        schema = self.find_schema_written(arriving)
        key, value = self.write_sides(context.layout, context.node, topic, schema)
        encode_key = key.encode
        if arriving.window is not None and schema.key.format != "none":
            kafka = _as_session if arriving.window.kind == "session" else _as_time_window
            encode_key = {"json": _as_json, "kafka": kafka, "key": _encode_only_key}[self.windowed_key](encode_key)
        read = context.read_schemas()
        asks = {
            KEY_HEADER: any(each.key.schema is not None for each in (schema, *read.values())),
            VALUE_HEADER: any(each.value.schema is not None for each in (schema, *read.values())),
        }
        stale = tuple(name for name, is_known in asks.items() if is_known)
        return TopicForm(
            context.layout.sinks_of[context.node][topic],
            encode_key,
            value.encode,
            frozenset(target for target, each in read.items() if each.key == key.side != TEXT),
            frozenset(target for target, each in read.items() if each.value == value.side != TEXT),
            Stamp(stale, key.name_schema, value.name_schema) if stale else None,
        )


class TopicForm(NamedTuple):
    """How a sink writes to a topic. `same_keys` and `same_values` are the targets whose rows hold keys and values in
    the form that is written here. `stamp` makes the headers."""

    target: int
    encode_key: Encoder
    encode_value: Encoder
    same_keys: frozenset[int]
    same_values: frozenset[int]
    stamp: Stamp | None


TEXT = Side("string", STRING)


def _find_windowed_key(key: Type) -> Type:
    return struct(key=key, start=INTEGER, end=INTEGER)


def _as_json(encode: Encoder) -> Encoder:
    return lambda key: encode({"key": key.key, "start": key.start, "end": key.end})


def _as_time_window(encode: Encoder) -> Encoder:
    """Encodes the key and the start (TimeWindowedSerializer)."""
    return lambda key: encode(key.key) + TIMESTAMP.pack(key.start)


def _as_session(encode: Encoder) -> Encoder:
    """Encodes the key, the end and the start (SessionWindowedSerializer)."""
    return lambda key: encode(key.key) + BOUNDS.pack(key.end, key.start)


def _encode_only_key(encode: Encoder) -> Encoder:
    return lambda key: encode(key.key)


class RecordWriter(Processor):
    """Encodes records and sends them to their topic, with the headers of the record they come from.

    A key or value that no node changed leaves with its original bytes. Text is always written again: bytes that are
    not UTF-8 were replaced as it was read, so one key may have come in several forms.
    """

    emit: Emit
    context: RecordContext

    def __init__(self, context: ProcessorContext, topic: TopicForm) -> None:
        self.node = context.node
        self.emit = context.emit
        self.context = context.record_context
        self.use(topic)

    def use(self, topic: TopicForm) -> None:
        """Writes to this topic from now on."""
        self.target, self.encode_key, self.encode_value, self.same_keys, self.same_values, self.stamp = topic

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        context = self.context
        target, read_key, read_value, _, _, _, _ = context.read
        try:
            if key is None:
                key_bytes = None
            elif key is context.key and target in self.same_keys:
                key_bytes = read_key
            else:
                key_bytes = self.encode_key(key)
            if value is None:
                value_bytes = None
            elif value is context.value and target in self.same_values:
                value_bytes = read_value
            else:
                value_bytes = self.encode_value(value)
        except EncodeError as error:
            raise NotWritten(self.node, "", f"The record cannot be written. {error}") from error
        _, _, _, _, headers, number, offset = context.row
        if self.stamp is not None:
            headers = self.stamp(headers, key, value)
        self.emit((self.target, key_bytes, value_bytes, timestamp, headers, number, offset))


class ChoosingWriter(RecordWriter):
    """Sends each record to its computed topic, one of those allowed (TopicNameExtractor)."""

    def __init__(
        self,
        context: ProcessorContext,
        write_topic: Callable[[ProcessorContext, str], TopicForm],
        topic_of: Callable[[Any, Any, int], Any],
    ) -> None:
        self.topics = {topic: write_topic(context, topic) for topic in context.layout.sinks_of[context.node]}
        super().__init__(context, next(iter(self.topics.values())))
        self.topic_of = topic_of

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        name = self.topic_of(key, value, timestamp)
        topic = self.topics.get(name) if type(name) is str else None
        if topic is None:
            topic_text = "null" if name is None else repr(name)[:80]
            message = f"The record names the topic {topic_text}, which is not one of {', '.join(self.topics)}."
            raise RecordError(self.node, "topic_expression", message)
        self.use(topic)
        super().process(key, value, timestamp)
