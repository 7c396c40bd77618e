"""Operators at the edge of a topology: those that read a topic and those that write one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from designer.avro import AvroText, type_of
from designer.catalogue import Flows, Operator
from designer.formats import NATURAL, FormatName, fits, format_for, side_of
from designer.forms import DeclaredType, Topic
from designer.issues import Issue
from designer.schemas import ANY, STRING, Avro, Schema, Side, Type

AvroHeader = Literal["plain", "confluent"]
SchemaId = Annotated[int, Field(ge=0, lt=2**32)]

_WITH_AVRO_KEYS: dict[str, Any] = {"shown": {"key_format": ["avro"]}}
_WITH_AVRO_VALUES: dict[str, Any] = {"shown": {"value_format": ["avro"]}}
_WITH_HEADER: dict[str, Any] = {"shown": {"value_format": ["avro"], "avro_header": ["confluent"]}}
_SCHEMA_ID = "Id of the {0}' schema in the registry, in Confluent's header. On a source, empty: any means this schema."
KEY_SCHEMA: Any = Field(None, description="Avro schema of the keys (JSON).", json_schema_extra=_WITH_AVRO_KEYS)
VALUE_SCHEMA: Any = Field(None, description="Avro schema of the values (JSON).", json_schema_extra=_WITH_AVRO_VALUES)
AVRO_HEADER: Any = Field(
    "plain",
    description="What stands before Avro: nothing, or the 5 bytes of Confluent's schema registry.",
    json_schema_extra=_WITH_AVRO_VALUES,
)
KEY_SCHEMA_ID: Any = Field(None, description=_SCHEMA_ID.format("keys"), json_schema_extra=_WITH_AVRO_KEYS)
VALUE_SCHEMA_ID: Any = Field(None, description=_SCHEMA_ID.format("values"), json_schema_extra=_WITH_HEADER)
"""The fields about Avro that sources and sinks have, and when their forms show them."""

UNKNOWN = Schema(key=Side("string", STRING), value=Side("json", ANY))
"""What a topic is taken to hold when nothing is declared and nothing was sampled."""


class ReadsTopic(Operator):
    """A source: its schema is what its config declares, else what sampled records show.

    A record fails on it whose bytes cannot be decoded (deserialization.exception.handler).
    """

    family: ClassVar[str] = "sources"

    topic: Topic = Field(description="The topic to read.")
    key_format: FormatName | None = Field(
        None, description="How keys are written in bytes. Empty: as sampled records show."
    )
    value_format: FormatName | None = Field(
        None, description="How values are written in bytes. Empty: as sampled records show."
    )
    key_schema: AvroText | None = KEY_SCHEMA
    value_schema: AvroText | None = VALUE_SCHEMA
    avro_header: AvroHeader = AVRO_HEADER
    key_schema_id: SchemaId | None = KEY_SCHEMA_ID
    value_schema_id: SchemaId | None = VALUE_SCHEMA_ID
    key_type: DeclaredType | None = Field(None, description="Type of the keys. Empty: as sampled records show.")
    value_type: DeclaredType | None = Field(
        None, description="Type of the values, with their fields. Empty: as sampled records show."
    )

    def topic_names(self) -> tuple[str, ...]:
        """The topics it reads, as far as they are named."""
        return (self.topic,)

    def reads(self, topic: str) -> bool:
        """Whether it reads that topic."""
        return topic in self.topic_names()

    @classmethod
    def can_fail(cls) -> bool:
        return True

    def read(self, inferred: Schema | None) -> Schema:
        """What the topic holds: the declared sides, and the inferred ones where nothing is declared."""
        key, value = (inferred.key, inferred.value) if inferred else (None, None)
        has_header = self.avro_header == "confluent"
        return Schema(
            key=_avro_side(self.key_format, self.key_schema, has_header, self.key_schema_id)
            or _side(self.key_format, self.key_type, key, UNKNOWN.key),
            value=_avro_side(self.value_format, self.value_schema, has_header, self.value_schema_id)
            or _side(self.value_format, self.value_type, value, UNKNOWN.value),
        )

    def output_schema(self, inputs: Flows) -> Schema:
        return self.read(None)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        schema = self.read(None)
        for name, side in (("key", schema.key), ("value", schema.value)):
            if not fits(side):
                yield misfit(f"{name}_format", side)


class WritesTopic(Operator):
    """A sink: what goes into it leaves the topology for a topic.

    A record fails on it that its format or Kafka does not take (production.exception.handler).
    """

    family: ClassVar[str] = "sinks"

    topic: Topic = Field(description="The topic to write.")

    @classmethod
    def can_fail(cls) -> bool:
        return True

    def topic_names(self) -> tuple[str, ...]:
        """The topics it may write."""
        return (self.topic,)

    @property
    def may_create(self) -> bool:
        """Whether a deploy makes its topics where they are missing."""
        return True

    def written(self, arriving: Schema) -> Schema:
        """What stands in its topics, of records that arrive with that schema."""
        return arriving


def metric_name(topic: str) -> str:
    """The name under which Kafka keeps a topic's metrics; topics that share one cannot both exist.

    `metric_name("a.b") == metric_name("a_b")`. Source: `org.apache.kafka.common.internals.Topic.unifyCollisionChars`.
    """
    return topic.replace(".", "_")


def misfit(field: str, side: Side) -> Issue:
    """The issue of a format that cannot write the type it is chosen for."""
    if side.format == "avro":
        return _misfit_of_avro(field, side)
    return Issue(
        code="format.misfit",
        message=f"The format {side.format} takes {_WANTS[side.format]}, and here it would get {side.type.kind.value}.",
        hint=f"Choose {format_for(side.type)} or json, or change the type.",
        field=field,
    )


def _avro_side(chosen: FormatName | None, schema: str | None, has_header: bool, number: int | None) -> Side | None:
    """The side that an Avro schema of the form makes; None where the format is another, or the schema not there."""
    if schema is None or chosen not in (None, "avro"):
        return None
    return Side("avro", type_of(schema), Avro(schema, has_header, number))


def leaving(
    arriving: Side, chosen: FormatName | None, schema: str | None, has_header: bool, number: int | None
) -> Side:
    """How a side is written to a topic: as it arrives, or as the form says; `number` is the schema's id."""
    name = chosen or ("avro" if schema is not None else arriving.format)
    text = schema or (arriving.avro.schema if arriving.avro is not None else None)
    avro = Avro(text, has_header, number) if name == "avro" and text is not None else None
    return Side(name, arriving.type, avro)


def unnumbered(written: Schema) -> Iterator[Issue]:
    """The issue of a header that should be written, and nobody said which id it names."""
    for name, side in (("key", written.key), ("value", written.value)):
        if side.avro is not None and side.avro.header and side.avro.id is None:
            yield Issue(
                code="avro.id_missing",
                message=f"Confluent's header names the {name}'s schema by its id, and here is none.",
                hint=f"Write the id that the schema registry gave it into `{name}_schema_id`.",
                field=f"{name}_schema_id",
            )


def _misfit_of_avro(field: str, side: Side) -> Issue:
    if side.avro is None:
        named = f"{field.removesuffix('_format')}_schema"
        return Issue(
            code="avro.schema_missing",
            message="The format avro needs a schema, and here is none.",
            hint=f"Paste it into `{named}`, or choose {format_for(side.type)}; inside a topology json does as well.",
            field=field,
        )
    return Issue(
        code="format.misfit",
        message=f"The Avro schema takes {_told(type_of(side.avro.schema))}, and here it would get {_told(side.type)}.",
        hint="Shape the value to have the schema's fields (map_values), correct the schema, or choose json.",
        field=field,
    )


def _told(held: Type) -> str:
    """A struct by its fields, all else by its kind."""
    return f"the fields {', '.join(field.name for field in held.fields)}" if held.fields else held.kind.value


_WANTS = {
    "string": "text",
    "long": "integers",
    "integer": "integers",
    "double": "decimal numbers",
    "boolean": "true or false",
    "bytes": "bytes",
    "json": "any value",
}


def _side(chosen: FormatName | None, declared: Type | None, sampled: Side | None, unknown: Side) -> Side:
    known = sampled or unknown
    if declared is not None:
        return Side(chosen, declared) if chosen else side_of(declared, sampled.format if sampled else None)
    return known if chosen in (None, known.format) else Side(str(chosen), NATURAL[str(chosen)])
