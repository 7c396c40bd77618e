"""Operators at the edge of a topology: those that read a topic and those that write one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, Protocol, Self

from pydantic import Field, JsonValue, StringConstraints, model_validator
from pydantic.config import JsonDict

from designer.expressions.types import describe
from designer.issues import Fix, Issue, SchemaNotRead
from designer.messages import FixCode, IssueCode
from designer.streams.formats import (
    NATURAL,
    SCHEMA_FORMATS,
    SCHEMA_NAMES,
    choose_format,
    choose_side,
    find_misfit_of,
    fits,
    write_schema,
)
from designer.streams.registering import (
    BY_RECORD,
    Registration,
    RegistryUse,
    Strategy,
    SubjectNames,
    list_message_files,
    list_subjects,
)
from designer.topology.catalogue import Family, Flows, Operator, TopicUse, Words
from designer.topology.forms import DeclaredType, FormPart, Topic, make_error
from designer.values.schemas import ANY, STRING, FormatName, FormatSchema, Kind, Schema, Side, SideName, Type

AvroHeader = Literal["plain", "confluent"]
SinkHeader = Literal["plain", "confluent", "id_header", "guid_header"]
FormSchemaId = Annotated[int, Field(ge=0, lt=2**32)]

MAX_CHARACTERS = 100_000
"""Longest schema of a form."""
PastedSchema = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_CHARACTERS),
    Field(json_schema_extra={"format": "schema-text"}),
]
"""The text of a schema in a form. `read_schemas` parses it by the side's format."""

_WITH_SCHEMA: list[JsonValue] = [*SCHEMA_FORMATS]
_OF_KEYS: JsonDict = {"shown": {"key_format": _WITH_SCHEMA}}
_OF_VALUES: JsonDict = {"shown": {"value_format": _WITH_SCHEMA}}
_WITH_HEADER: JsonDict = {"shown": {"value_format": _WITH_SCHEMA, "avro_header": ["confluent"]}}
_SCHEMA_ID = "Id of the {0}' schema in the registry, as in Confluent's header."
_SCHEMA = (
    "Text of the schema, as its format writes it. It gives the fields of the {0} and their types. A record inside "
    "itself has no fields there: it is a value of unknown type, down to 200 levels (100 in Protobuf)."
)
KEY_SCHEMA: Any = Field(None, description=_SCHEMA.format("keys"), json_schema_extra=_OF_KEYS)
VALUE_SCHEMA: Any = Field(None, description=_SCHEMA.format("values"), json_schema_extra=_OF_VALUES)
AVRO_HEADER: Any = Field(
    "plain",
    title="Header",
    description="Header before the data: none, or the 5 bytes of Confluent's schema registry.",
    json_schema_extra=_OF_VALUES,
)
KEY_SCHEMA_ID: Any = Field(None, description=_SCHEMA_ID.format("keys"), json_schema_extra=_OF_KEYS)
VALUE_SCHEMA_ID: Any = Field(None, description=_SCHEMA_ID.format("values"), json_schema_extra=_WITH_HEADER)
_MESSAGE = "Name of the Protobuf message that the {0} are, such as shop.Order. Several with commas become a union."
KEY_MESSAGE: Any = Field(
    None,
    max_length=500,
    description=_MESSAGE.format("keys"),
    json_schema_extra={"shown": {"key_format": ["protobuf"]}, "empty_means": "the first message of the schema"},
)
VALUE_MESSAGE: Any = Field(
    None,
    max_length=500,
    description=_MESSAGE.format("values"),
    json_schema_extra={"shown": {"value_format": ["protobuf"]}, "empty_means": "the first message of the schema"},
)
"""The fields of sources and sinks for formats with a schema, and the conditions for showing them."""


class WriterSchema(FormPart):
    """A schema that some records of a topic are written with."""

    id: FormSchemaId = Field(description="Its id in the registry, as in Confluent's header.")
    avro_schema: PastedSchema = Field(title="Schema", description="Text that the registry has under that id.")


_WRITERS = (
    "Other schemas that writers of the topic use for {0}. The rules of the format convert these {0} to `{1}`. A record "
    "with any other id fails."
)
KEY_WRITER_SCHEMAS: Any = Field(
    (), max_length=100, description=_WRITERS.format("keys", "key_schema"), json_schema_extra=_OF_KEYS
)
VALUE_WRITER_SCHEMAS: Any = Field(
    (), max_length=100, description=_WRITERS.format("values", "value_schema"), json_schema_extra=_WITH_HEADER
)
SCHEMA_REGISTRY: Any = Field(
    False,
    description="Look up the schema of each record in the cluster's schema registry, by the id that the record begins "
    "with or has in its header `__key_schema_id` or `__value_schema_id`. Records with an id that the registry does not "
    "have fail. While the registry is away, a partition waits at the first record with an unknown id.",
    json_schema_extra=_OF_VALUES,
)
"""The fields of sources only."""

SINK_HEADER: Any = Field(
    "plain",
    title="Header",
    description="Where a record names its schema. confluent: in the 5 bytes before the data. id_header, "
    "guid_header: in the header `__key_schema_id` or `__value_schema_id`, as a number or as a GUID. plain: nowhere; "
    "with a schema registry it counts as confluent.",
    json_schema_extra=_OF_VALUES,
)
SINK_REGISTRY: Any = Field(
    "none",
    description="How the deploy takes schemas from the cluster's schema registry. register: registers this schema if "
    "the subject lacks it. require: the subject must have this schema. latest: writes with the newest schema of the "
    "subject. id: writes with the schema of the id below. none: writes this schema with the id below.",
    json_schema_extra=_OF_VALUES,
)
_READ_BY_HAND: JsonDict = {"shown": {"value_format": _WITH_SCHEMA, "subject_strategy": ["by_hand"]}}
READ_STRATEGY: Any = Field(
    "topic",
    description="Names the subjects whose schemas the form offers and a run fetches at its start. Records are read by "
    "their ids, whatever their subject.",
    json_schema_extra=_OF_VALUES,
)
_SUBJECT = "The registry keeps the versions of these {0}' schema under this name, such as orders-{1}."
READ_KEY_SUBJECT: Any = Field(
    None, max_length=255, description=_SUBJECT.format("keys", "key"), json_schema_extra=_READ_BY_HAND
)
READ_VALUE_SUBJECT: Any = Field(
    None, max_length=255, description=_SUBJECT.format("values", "value"), json_schema_extra=_READ_BY_HAND
)
_WITH_REGISTRY: JsonDict = {"value_format": _WITH_SCHEMA, "schema_registry": ["register", "require", "latest"]}
_WITH_SUBJECT: JsonDict = {"shown": _WITH_REGISTRY}
_BY_HAND: JsonDict = {"shown": {**_WITH_REGISTRY, "subject_strategy": ["by_hand"]}}
SINK_STRATEGY: Any = Field(
    "topic",
    description="Names the subjects. topic: the topic, with -key or -value. record: the full name of the record. "
    "topic_record: the topic, a hyphen and the record. associated: as the registry says for the topic, else as topic. "
    "by_hand: as written below.",
    json_schema_extra=_WITH_SUBJECT,
)
SINK_KEY_SUBJECT: Any = Field(
    None, max_length=255, description=_SUBJECT.format("keys", "key"), json_schema_extra=_BY_HAND
)
SINK_VALUE_SUBJECT: Any = Field(
    None, max_length=255, description=_SUBJECT.format("values", "value"), json_schema_extra=_BY_HAND
)
SINK_VALUE_SCHEMA_ID: Any = Field(None, description=_SCHEMA_ID.format("values"), json_schema_extra=_OF_VALUES)
"""The registry's fields of sinks only."""

READ = "Kafka topic whose records enter here. Pick one of the cluster, or type a name."
HELP_OF_SINK = "Kafka topic that gets the records. A missing one is created when the job is deployed."
HELP_OF_DECODER = "How the bytes of a {0} are decoded, for example as JSON, plain text or Avro."
HELP_OF_ENCODER = "How each {0} becomes bytes, for example JSON, plain text or Avro."
HELP_OF_TYPES = "Declares what {0} hold, so that expressions know their fields without example records."

UNKNOWN = Schema(key=Side("string", STRING), value=Side("json", ANY))
"""The assumed schema of a topic without a declaration and a sample."""


class HasSchemas(Protocol):
    """The form of a source or sink."""

    key_format: FormatName | None
    value_format: FormatName | None
    key_schema: str | None
    value_schema: str | None
    key_message: str | None
    value_message: str | None


def read_schemas(form: HasSchemas) -> None:
    """Parses the schemas of a form, those of other writers too. Raises PydanticCustomError at the first wrong one."""
    for side, name, text, message in (
        ("key", form.key_format, form.key_schema, form.key_message),
        ("value", form.value_format, form.value_schema, form.value_message),
    ):
        schema_format = SCHEMA_FORMATS.get(name or "avro")
        writers: tuple[WriterSchema, ...] = getattr(form, f"{side}_writer_schemas", ())
        texts = {f"{side}_schema": text}
        texts |= {f"{side}_writer_schemas.{row}.avro_schema": each.avro_schema for row, each in enumerate(writers)}
        for field, each in texts.items():
            try:
                if schema_format is not None and each is not None:
                    own = message if field == f"{side}_schema" else None  # other writers may lack it: see `issues`
                    schema_format.read_type(each, own or "")
            except SchemaNotRead as error:
                is_named = error.issue.code is IssueCode.PROTOBUF_NO_MESSAGE and message
                raise make_error(error.issue, f"{side}_message" if is_named else field) from error


class ReadsTopic(Operator):
    """A source: its config declares its schema, or sampled records show it.

    A record fails here if its bytes cannot be decoded (deserialization.exception.handler).
    """

    family: ClassVar[Family] = "sources"
    topic_use: ClassVar[TopicUse | None] = "reads"
    summary: ClassVar[tuple[str | Words, ...]] = ("topic", "store")
    is_reloaded: ClassVar[bool] = False
    """Each epoch reads its topics from their start, whatever was read before."""

    @property
    def is_read_first(self) -> bool:
        """Whether its topics are read before any stream when a job first starts."""
        return False

    topic: Topic = Field(description=READ)
    key_format: FormatName | None = Field(
        None,
        description=HELP_OF_DECODER.format("key"),
        json_schema_extra={"empty_means": "inferred from records"},
    )
    value_format: FormatName | None = Field(
        None,
        description=HELP_OF_DECODER.format("value"),
        json_schema_extra={"empty_means": "inferred from records"},
    )
    key_schema: PastedSchema | None = KEY_SCHEMA
    key_message: str | None = KEY_MESSAGE
    value_schema: PastedSchema | None = VALUE_SCHEMA
    value_message: str | None = VALUE_MESSAGE
    avro_header: AvroHeader = AVRO_HEADER
    key_schema_id: FormSchemaId | None = KEY_SCHEMA_ID
    value_schema_id: FormSchemaId | None = VALUE_SCHEMA_ID
    key_writer_schemas: tuple[WriterSchema, ...] = KEY_WRITER_SCHEMAS
    value_writer_schemas: tuple[WriterSchema, ...] = VALUE_WRITER_SCHEMAS
    schema_registry: bool = SCHEMA_REGISTRY
    subject_strategy: Strategy = READ_STRATEGY
    key_subject: str | None = READ_KEY_SUBJECT
    value_subject: str | None = READ_VALUE_SUBJECT
    key_type: DeclaredType | None = Field(
        None,
        description=HELP_OF_TYPES.format("keys"),
        json_schema_extra={"empty_means": "inferred from records"},
    )
    value_type: DeclaredType | None = Field(
        None,
        description=HELP_OF_TYPES.format("values"),
        json_schema_extra={"empty_means": "inferred from records"},
    )

    @model_validator(mode="after")
    def _schemas_are_read(self) -> Self:
        read_schemas(self)
        return self

    @property
    def declares_format(self) -> bool:
        """Whether its form says how to read the topic, at least in part."""
        declared = (self.key_format, self.value_format, self.key_schema, self.value_schema)
        return any(each is not None for each in (*declared, self.key_type, self.value_type))

    def topic_names(self) -> tuple[str, ...]:
        """Its topics, if they are named."""
        return (self.topic,)

    def name_subjects(self, topic: str) -> tuple[str, ...]:
        """The subjects of a topic's keys and values in a schema registry, as far as the form says that it has some."""
        return tuple(subject for _, subject in self.list_subjects(topic))

    def list_subjects(self, topic: str) -> Iterator[tuple[SideName, str]]:
        """The subjects of `name_subjects`, each with its side: the topic's keys or its values."""
        schema = self.read(None)
        names = SubjectNames(self.subject_strategy, self.key_subject, self.value_subject)
        sides: tuple[tuple[SideName, Side], ...] = (("key", schema.key), ("value", schema.value))
        for side, written in sides:
            for subject in list_subjects(topic, side, written, names):
                yield side, subject

    def choose_first_start(self, default: str) -> str:
        """The start for a job that has never read: earliest, latest or a time. `default` comes from its settings."""
        return default

    def reads(self, topic: str) -> bool:
        """Whether it reads that topic."""
        return topic in self.topic_names()

    @classmethod
    def can_fail(cls) -> bool:
        return True

    def read(self, schema: Schema | None) -> Schema:
        """The schema of the topic: the declared sides, and the inferred ones if nothing is declared."""
        key, value = (schema.key, schema.value) if schema else (None, None)
        return Schema(
            key=self._make_schema_side(
                self.key_format, self.key_schema, self.key_message, self.key_schema_id, self.key_writer_schemas
            )
            or _choose_side(self.key_format, self.key_type, key, UNKNOWN.key),
            value=self._make_schema_side(
                self.value_format,
                self.value_schema,
                self.value_message,
                self.value_schema_id,
                self.value_writer_schemas,
            )
            or _choose_side(self.value_format, self.value_type, value, UNKNOWN.value),
        )

    def _make_schema_side(
        self,
        format_name: FormatName | None,
        schema: str | None,
        message: str | None,
        number: int | None,
        writers: tuple[WriterSchema, ...],
    ) -> Side | None:
        """The side for a schema of the form. None for a format that needs none, or without a schema."""
        name = format_name or "avro"
        if schema is None or name not in SCHEMA_FORMATS:
            return None
        writer_schemas = tuple((each.id, each.avro_schema) for each in writers)
        has_header = self.avro_header == "confluent" or self.schema_registry
        written = FormatSchema(schema, has_header, number, writer_schemas, self.schema_registry, message or "")
        return Side(name, SCHEMA_FORMATS[name].read_type(schema, message or ""), written)

    def output_schema(self, inputs: Flows) -> Schema:
        return self.read(None)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        schema = self.read(None)
        sides: tuple[tuple[SideName, Side], ...] = (("key", schema.key), ("value", schema.value))
        for name, side in sides:
            if not fits(side):
                yield make_topic_misfit(name, side)
            if side.schema is not None and side.schema.header:
                yield from _find_unknown_ids(name, side.format, side.schema)
            elif side.format == "protobuf" and side.type.kind is Kind.UNION:
                yield Issue(IssueCode.PROTOBUF_NO_INDEXES, {"side": name}, field=f"{name}_message")


class WritesTopic(Operator):
    """A sink: it writes records to a topic.

    A record fails here if its format or Kafka does not accept it (production.exception.handler).
    """

    family: ClassVar[Family] = "sinks"
    topic_use: ClassVar[TopicUse | None] = "writes"

    topic: Topic = Field(description=HELP_OF_SINK)

    @classmethod
    def can_fail(cls) -> bool:
        return True

    def topic_names(self) -> tuple[str, ...]:
        """The topics it may write."""
        return (self.topic,)

    @property
    def may_create(self) -> bool:
        """Whether a deploy creates its missing topics."""
        return True

    def count_wanted_partitions(self) -> int | None:
        """Partitions of a topic that a deploy creates. None: as many as the tasks."""
        return None

    def find_schema_written(self, arriving: Schema) -> Schema:
        """The schema of its topics, for records that arrive with that schema."""
        return arriving

    @property
    def uses_registry(self) -> bool:
        """Whether it takes schemas from a schema registry."""
        return False

    def find_registry_uses(self, arriving: Schema) -> Iterator[RegistryUse]:
        """The schemas that it writes with a schema registry."""
        yield from ()


def name_metrics(topic: str) -> str:
    """The name of a topic's metrics in Kafka. Two topics with the same one cannot coexist.

    `name_metrics("a.b") == name_metrics("a_b")`. Source: `org.apache.kafka.common.internals.Topic.unifyCollisionChars`.
    """
    return topic.replace(".", "_")


def make_topic_misfit(name: SideName, side: Side, record: str = "") -> Issue:
    """The issue of a topic whose format cannot write its type.

    If the schema is missing, the fix writes one, with a record of that name.
    """
    if side.format not in SCHEMA_FORMATS or side.schema is not None:
        return make_misfit(f"{name}_format", side)
    field = f"{name}_schema"
    text = write_schema(side, record) if record else None
    return Issue(
        IssueCode.AVRO_SCHEMA_MISSING,
        {"format": side.format, "field": field, "fitting": choose_format(side.type)},
        field=field,
        fix=None if text is None or len(text) > MAX_CHARACTERS else Fix(FixCode.WRITE_SCHEMA, text, f"{name}s"),
    )


def make_misfit(field: str, side: Side) -> Issue:
    """The issue of a format that cannot write its type."""
    if side.format in SCHEMA_FORMATS:
        return _make_schema_misfit(field, side)
    return Issue(
        IssueCode.FORMAT_MISFIT,
        {
            "format": side.format,
            "wanted": _WANTS[side.format],
            "type": side.type.kind,
            "fitting": choose_format(side.type),
        },
        field=field,
    )


def choose_written_side(
    arriving: Side,
    format_name: FormatName | None,
    schema: str | None,
    message: str | None,
    has_header: bool,
    number: int | None,
) -> Side:
    """The written form of a side in a topic: as the form says, else unchanged, including Confluent's header.

    `number` is the schema's id. A schema that arrived keeps its own.
    """
    name = format_name or ("avro" if schema is not None else arriving.format)
    if name not in SCHEMA_FORMATS:
        return Side(name, arriving.type)
    if schema is not None:
        return Side(name, arriving.type, FormatSchema(schema, has_header, number, message=message or ""))
    if arriving.schema is None or arriving.format != name:
        return Side(name, arriving.type)
    header = has_header or (format_name is None and arriving.schema.header)
    number = arriving.schema.id if number is None else number
    message = message or arriving.schema.message
    return Side(name, arriving.type, FormatSchema(arriving.schema.text, header, number, message=message))


def without_prefix(side: Side) -> Side:
    """The side without Confluent's prefix: its records name their schema in a header instead."""
    return side if side.schema is None else replace(side, schema=side.schema._replace(header=False))


def _find_unknown_ids(name: str, format_name: str, schema: FormatSchema) -> Iterator[Issue]:
    """The issues of a source whose records name their writers' schemas."""
    if schema.id is None and not schema.writers and not schema.registry:
        yield Issue(IssueCode.AVRO_NO_ID, {"side": name}, field=f"{name}_schema_id")
    ids = {schema.id}
    for index, (number, text) in enumerate(schema.writers):
        at = f"{name}_writer_schemas.{index}"
        if number in ids:
            yield Issue(IssueCode.AVRO_ID_TWICE, {"id": number}, field=f"{at}.id")
        ids.add(number)
        if why := SCHEMA_FORMATS[format_name].find_mismatch(text, schema.text, schema.message):
            yield Issue(
                IssueCode.AVRO_WRITER_UNLIKE,
                {"side": name, "id": number, "why": _start_small(why)},
                field=f"{at}.avro_schema",
            )


def _start_small(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def find_unnumbered_headers(schema: Schema, header: SinkHeader) -> Iterator[Issue]:
    """The issues of a sink without a registry whose records name a schema without an id."""
    if header == "guid_header":
        yield Issue(IssueCode.REGISTRY_GUID, field="avro_header")
    for name, side in (("key", schema.key), ("value", schema.value)):
        if side.schema is not None and (side.schema.header or header == "id_header") and side.schema.id is None:
            yield Issue(IssueCode.AVRO_ID_MISSING, {"side": name}, field=f"{name}_schema_id")


def find_misused_registry(written: Schema, uses: Iterable[RegistryUse], strategy: Strategy) -> Iterator[Issue]:
    """The issues of a sink with a registry that do not depend on what the registry holds."""
    for use in uses:
        if use.registration == "id":
            if use.id is None:
                yield Issue(IssueCode.REGISTRY_NO_ID, {"side": use.side}, field=f"{use.side}_schema_id")
        elif not use.subject:
            by_hand = strategy == "by_hand"
            yield Issue(
                IssueCode.REGISTRY_NO_SUBJECT,
                {"side": use.side, "strategy": None if by_hand else strategy},
                field=f"{use.side}_subject" if by_hand else "subject_strategy",
            )
    if not {written.key.format, written.value.format} & SCHEMA_FORMATS.keys():
        yield Issue(IssueCode.REGISTRY_UNUSED, field="schema_registry")


def find_split_messages(
    written: Schema, header: SinkHeader, registration: Registration, strategy: Strategy
) -> Iterator[Issue]:
    """The issues of a sink whose messages are in several files, and whose records name one schema.

    Message indexes count in the file that the id names.
    """
    if registration not in ("none", "id") and strategy in BY_RECORD:
        return
    sides: tuple[tuple[SideName, Side], ...] = (("key", written.key), ("value", written.value))
    for name, side in sides:
        names_schema = side.schema is not None and (side.schema.header or header in ("id_header", "guid_header"))
        if names_schema and len(files := list_message_files(side)) > 1:
            yield Issue(IssueCode.PROTOBUF_FILES, {"side": name, "files": ", ".join(files)}, field=f"{name}_message")


def _make_schema_misfit(field: str, side: Side) -> Issue:
    if side.schema is None:
        fitting = choose_format(side.type)
        return Issue(
            IssueCode.AVRO_SCHEMA_MISSING, {"format": side.format, "field": None, "fitting": fitting}, field=field
        )
    path, schema_type, type_ = find_misfit_of(side) or ("", side.type, side.type)
    wanted, given = _describe_misfit(schema_type, type_)
    return Issue(
        IssueCode.AVRO_MISFIT,
        {"schema": SCHEMA_NAMES[side.format], "wanted": wanted, "field": path or None, "given": given},
        field=field,
    )


def _describe_misfit(schema: Type, type_: Type) -> tuple[str, str]:
    """What a schema needs, and what the value has. Of structs that share fields, only what differs."""
    own, given = ({field.name: None for field in each.fields} for each in (schema, type_))
    if own.keys() == given.keys() or own.keys().isdisjoint(given):
        return _describe(schema), _describe(type_)
    lacking, more = (
        ", ".join(name for name in one if name not in other) for one, other in ((own, given), (given, own))
    )
    if not lacking:
        return "only its own fields", f"also the fields {more}"
    return f"the fields {lacking}", f"the fields {more} instead" if more else "only its other fields"


def _describe(type_: Type) -> str:
    """A struct by its fields, all other types by their words."""
    if type_.kind is Kind.STRUCT and type_.logical is None:
        return f"the fields {', '.join(field.name for field in type_.fields)}"
    return type_.logical or describe(type_)


_WANTS = {
    "string": "text",
    "long": "integers",
    "integer": "integers",
    "double": "doubles",
    "boolean": "true or false",
    "bytes": "bytes",
    "json": "any value",
}


def _choose_side(format_name: FormatName | None, type_: Type | None, side: Side | None, unknown: Side) -> Side:
    known_side = side or unknown
    if type_ is not None:
        return Side(format_name, type_) if format_name else choose_side(type_, side.format if side else None)
    return known_side if format_name in (None, known_side.format) else Side(str(format_name), NATURAL[str(format_name)])
