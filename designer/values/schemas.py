"""The content of a port besides its type: the format and the fields of key and value, and the window of the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from functools import cache, lru_cache
from itertools import count
from json import dumps
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, cast
from weakref import WeakValueDictionary

from pydantic import WithJsonSchema
from typing_extensions import TypedDict


class Kind(StrEnum):
    """The kinds of a value. INTEGER is 64 bit, DOUBLE is IEEE 754, ANY is a value nothing is known about.

    DECIMAL is exact: a `decimal.Decimal` with as many digits after the point as its type's scale, always.
    STRUCT has fields of known names, MAP any texts as keys. UNION is one of several types: its fields name them, and
    a value is a `designer.values.tuples.UnionValue`.
    """

    BOOLEAN = "boolean"
    INTEGER = "integer"
    DOUBLE = "double"
    DECIMAL = "decimal"
    STRING = "string"
    BYTES = "bytes"
    LIST = "list"
    STRUCT = "struct"
    # Members without fixed names need their own kind: Avro has it, and forms cannot offer fields of it.
    MAP = "map"
    UNION = "union"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Field:
    """One named member of a struct. Every field may be null, as in SQL."""

    name: str
    type: Type


class TypeOut(TypedDict):
    """The type of a value. A union's fields are its types, each under Avro's name for it."""

    kind: Annotated[str, WithJsonSchema({"type": "string", "enum": [kind.value for kind in Kind]})]
    item: NotRequired[TypeOut]
    fields: NotRequired[list[FieldOut]]
    precision: NotRequired[int]
    scale: NotRequired[int]
    logical: NotRequired[str]


class FieldOut(TypedDict):
    name: str
    type: TypeOut


class InterningType(type):
    """Keeps one object of each type, however often it is made (hash consing).

    A type of types is then a graph with shared equal parts. A comparison of two only asks whether they are one.
    """

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        type_ = super().__call__(*args, **kwargs)
        return _types.setdefault(_identify(type_.parts), type_)


_types: WeakValueDictionary[Any, Any] = WeakValueDictionary()
_serials = count()


def _identify(part: Any) -> Any:
    """The identity of types with such parts. Equal types may differ in attributes that equality ignores."""
    match part:
        case Type():
            return part.serial
        case Field():
            return part.name, part.type.serial
        case tuple():
            return tuple(map(_identify, part))
        case _:
            return type(part), part


def _find_types(part: Any) -> Iterator[Type]:
    match part:
        case Type():
            yield part
        case Field():
            yield part.type
        case tuple():
            for each in part:
                yield from _find_types(each)


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Type(metaclass=InterningType):
    """The type of a value: a kind, with the item of a list, the value of a map, or the fields of a struct.

    A decimal has `precision` digits (1 to 38), `scale` of them after the point, as in SQL. Other kinds have 0.
    `logical` is the name of Avro's logical type, such as timestamp-micros: it gives values a meaning, and they fit all
    others of the kind. Attributes with `compare=False` do not make types unequal.
    """

    kind: Kind
    item: Type | None = None
    fields: tuple[Field, ...] = ()
    precision: int = 0
    scale: int = 0
    logical: str | None = None
    size: int = field(init=False, repr=False)
    """Approximate number of characters as JSON. A type in several places counts in each."""
    depth: int = field(init=False, repr=False)
    """The depth of nested types: 1 for a scalar."""
    serial: int = field(init=False, repr=False)
    _hash: int = field(init=False, repr=False)
    _by_name: Mapping[str, Type] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        inner = list(_find_types(self.parts))
        names = sum(len(dumps(field.name)) + len('{"name": , "type": }, ') for field in self.fields)
        keep = object.__setattr__
        keep(self, "size", len('{"kind": "struct", "fields": []}') + names + sum(part.size for part in inner))
        keep(self, "depth", 1 + max((part.depth for part in inner), default=0))
        keep(self, "serial", next(_serials))
        keep(self, "_hash", hash(self._compared_parts))
        keep(self, "_by_name", {field.name: field.type for field in reversed(self.fields)})

    @property
    def parts(self) -> tuple[Any, ...]:
        return tuple(map(self.__getattribute__, _list_part_names()))

    @property
    def _compared_parts(self) -> tuple[Any, ...]:
        return tuple(map(self.__getattribute__, _list_part_names(is_compared=True)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Type) and self._hash == other._hash and self._compared_parts == other._compared_parts

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.parts

    def field(self, name: str) -> Type | None:
        return self._by_name.get(name)

    def to_json(self) -> TypeOut:
        """`{"kind": "struct", "fields": [{"name": "id", "type": {"kind": "integer"}}]}`"""
        json: TypeOut = {"kind": self.kind.value}
        if self.item is not None:
            json["item"] = self.item.to_json()
        if self.kind is Kind.DECIMAL:
            json["precision"], json["scale"] = self.precision, self.scale
        if self.logical is not None:
            json["logical"] = self.logical
        if self.kind in (Kind.STRUCT, Kind.UNION):
            json["fields"] = [{"name": field.name, "type": field.type.to_json()} for field in self.fields]
        return json

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Type:
        """Raises KeyError, TypeError or ValueError if `json` is not a type."""
        if len(json) == 1:
            return _make_of_kind(json["kind"])
        return cls(
            kind=Kind(json["kind"]),
            item=cls.from_json(json["item"]) if json.get("item") is not None else None,
            fields=tuple(Field(field["name"], cls.from_json(field["type"])) for field in json.get("fields", ())),
            precision=_read_digits(json, "precision"),
            scale=_read_digits(json, "scale"),
            logical=json.get("logical"),
        )


@cache
def _make_of_kind(kind: str) -> Type:
    """Most types are a kind and nothing else."""
    return Type(Kind(kind))


def _read_digits(json: Mapping[str, Any], name: str) -> int:
    """A number of digits. 10.0 and true equal integers, and would count as them."""
    digits = json.get(name, 0)
    if type(digits) is not int:
        raise ValueError(f"`{name}` is not an integer.")
    return digits


@cache
def _list_part_names(*, is_compared: bool = False) -> tuple[str, ...]:
    """The fields of a type, or those of them that equality compares."""
    return tuple(each.name for each in fields(Type) if each.init and (each.compare or not is_compared))


BOOLEAN = Type(Kind.BOOLEAN)
INTEGER = Type(Kind.INTEGER)
DOUBLE = Type(Kind.DOUBLE)
STRING = Type(Kind.STRING)
BYTES = Type(Kind.BYTES)
ANY = Type(Kind.ANY)


def struct(**fields: Type) -> Type:
    """`struct(id=INTEGER, name=STRING)`"""
    return Type(Kind.STRUCT, fields=tuple(Field(name, of) for name, of in fields.items()))


def map_of(item: Type) -> Type:
    return Type(Kind.MAP, item=item)


def decimal(precision: int, scale: int = 0) -> Type:
    """`decimal(10, 2)` holds -99999999.99 to 99999999.99."""
    return Type(Kind.DECIMAL, precision=precision, scale=scale)


class FormatSchemaOut(TypedDict):
    """The schema that bytes are written in; `writers` are the ids and texts of others that are read."""

    text: str
    header: bool
    id: int | None
    writers: NotRequired[list[tuple[int, str]]]
    registry: NotRequired[bool]
    message: NotRequired[str]


class FormatSchema(NamedTuple):
    """The schema of a side in a format that needs one, such as avro, as one text without references.

    With `header`, Confluent's 5 bytes come first: 0 and the schema's `id` in the registry. Without an id the topology
    writes 0 for itself. `writers` are the ids of other schemas whose records are read, with their texts: they become
    values of `text`. With `registry`, records also have ids that only the cluster's schema registry knows
    (`RegistrySchemas`). `message` is the full name of a Protobuf message; empty is the first one of the text.
    """

    text: str
    header: bool = False
    id: int | None = None
    writers: tuple[tuple[int, str], ...] = ()
    registry: bool = False
    message: str = ""

    def to_json(self) -> FormatSchemaOut:
        json: FormatSchemaOut = {"text": self.text, "header": self.header, "id": self.id}
        if self.writers:
            json["writers"] = list(self.writers)
        if self.registry:
            json["registry"] = True
        if self.message:
            json["message"] = self.message
        return json

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> FormatSchema:
        """Raises KeyError, TypeError or ValueError if `json` is not one."""
        writers = tuple((number, text) for number, text in json.get("writers", ()))
        text: str = json["text"] if "text" in json else json["schema"]  # until 0.1.0
        header, registry = json.get("header", False), json.get("registry", False)
        return cls(text, header, json.get("id"), writers, registry, json.get("message", ""))


MAX_SCHEMA_CHARACTERS = 1_000_000
"""Longest text of a schema that is parsed, also of one from a registry."""


class SchemaText(NamedTuple):
    """A schema as a registry holds it: its kind, its text, and the texts of what it refers to, by name.

    `references` come in an order in which each one refers only to earlier ones.
    """

    kind: str
    """AVRO, PROTOBUF or JSON. MISSING: the registry has no schema of this id."""
    text: str
    references: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_json(cls, json: Sequence[Any]) -> SchemaText:
        """Raises TypeError or ValueError if `json` is not one."""
        kind, text, references = json
        return cls(kind, text, tuple((name, each) for name, each in references))


SchemaId = int | str
"""The id of a schema in a registry: a number, or a GUID as text."""
SideName = Literal["key", "value"]


@dataclass(frozen=True, slots=True)
class WrittenSchema:
    """The registry's schema with which a sink writes the keys or values of a topic.

    `record` is the option of a union whose values have this schema, empty if the side has one schema. `guid` and
    `version` are unknown where the registry does not give them. `registry` is the address that gave the id.
    """

    node: str
    topic: str
    side: SideName
    subject: str
    id: int
    schema: SchemaText
    version: int | None = None
    guid: str | None = None
    record: str = ""
    registry: str = ""


RegistrySchemas = Mapping[SchemaId, SchemaText]
"""The schemas of a registry that are known, by id."""


def read_registry_schemas(json: Mapping[str, Sequence[Any]]) -> RegistrySchemas:
    """Schemas by id, from JSON with the ids as text. Raises TypeError or ValueError."""
    return {int(number) if number.isdigit() else number: SchemaText.from_json(each) for number, each in json.items()}


class SideOut(TypedDict):
    """The key or the value of a record; `schema` is the one that its bytes are written in."""

    format: FormatName
    type: TypeOut
    schema: NotRequired[FormatSchemaOut]


@dataclass(frozen=True, slots=True)
class Side:
    """The key or the value of a record: its format in bytes (see `designer.streams.formats`) and its type."""

    format: str
    type: Type
    schema: FormatSchema | None = None

    def to_json(self) -> SideOut:
        json: SideOut = {"format": cast(FormatName, self.format), "type": self.type.to_json()}
        if self.schema is not None:
            json["schema"] = self.schema.to_json()
        return json

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Side:
        schema = json.get("schema", json.get("avro"))  # avro: until 0.1.0
        return cls(json["format"], Type.from_json(json["type"]), schema and FormatSchema.from_json(schema))


FormatName = Literal[
    "json", "string", "long", "integer", "double", "boolean", "bytes", "none", "avro", "protobuf", "json_schema"
]
"""The format of bytes. `designer.streams.formats` says which type each can write."""
WindowKind = Literal["tumbling", "hopping", "sliding", "session", "calendar", "unlimited"]
CalendarUnit = Literal["day", "week", "month", "year"]
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
END_OF_TIME_MS = 2**63 - 1
"""The end of unlimited windows (Long.MAX_VALUE)."""


@dataclass(frozen=True, slots=True)
class Calendar:
    """Windows of `count` days, weeks, months or years of an IANA time zone, each from `start_hour` local time."""

    unit: CalendarUnit
    count: int = 1
    zone: str = "UTC"
    week_start: Weekday = "monday"
    start_hour: int = 0


class CalendarOut(TypedDict):
    unit: CalendarUnit
    count: int
    zone: str
    week_start: Weekday
    start_hour: int


class WindowSpecOut(TypedDict):
    """The windows of a windowed key; times in ms."""

    kind: WindowKind
    size_ms: int
    grace_ms: int
    advance_ms: int
    start_ms: int
    calendar: CalendarOut | None
    emit: Literal["on_update", "on_close"]
    idle_ms: int | None
    retention_ms: int | None
    store_type: Literal["persistent", "in_memory"]


@dataclass(frozen=True, slots=True)
class WindowSpec:
    """The windows of a windowed key. All times are in ms.

    `size_ms` is the size of tumbling and hopping windows [start, start + size), the time difference of sliding ones
    [start, start + difference], the inactivity gap of sessions [first, last], and the maximum length of a `calendar`'s
    windows, which differ in length. `start_ms` is the start of the one unlimited window. The way in which results leave
    and are stored (`emit`, `idle_ms`, `retention_ms`, `store_type`) makes no other windows.
    """

    kind: WindowKind
    size_ms: int = 0
    grace_ms: int = 0
    advance_ms: int = 0
    start_ms: int = 0
    calendar: Calendar | None = None
    emit: Literal["on_update", "on_close"] = field(default="on_update", compare=False)
    idle_ms: int | None = field(default=None, compare=False)
    retention_ms: int | None = field(default=None, compare=False)
    store_type: Literal["persistent", "in_memory"] = field(default="persistent", compare=False)

    @property
    def is_end_inclusive(self) -> bool:
        return self.kind in ("sliding", "session")

    @property
    def length_ms(self) -> int:
        """From the start to the end of a window. Sessions and windows of a calendar have their own lengths."""
        return END_OF_TIME_MS - self.start_ms if self.kind == "unlimited" else self.size_ms

    @property
    def least_retention_ms(self) -> int:
        """How long a store must keep windows after the latest: as long as they may change. Also the default."""
        if self.kind == "unlimited":
            return END_OF_TIME_MS
        return self.size_ms * (2 if self.kind == "sliding" else 1) + self.grace_ms

    def to_json(self) -> WindowSpecOut:
        return cast(WindowSpecOut, asdict(self))

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> WindowSpec:
        calendar = json.get("calendar")
        return cls(**{**json, "calendar": None if calendar is None else Calendar(**calendar)})


class SchemaOut(TypedDict):
    """Key and value of the records on a port; `window` where each key stands for (key, window)."""

    key: SideOut
    value: SideOut
    window: WindowSpecOut | None


@dataclass(frozen=True, slots=True)
class Schema:
    """Key and value of the records on a port. `window` if each key means (key, window)."""

    key: Side
    value: Side
    window: WindowSpec | None = None

    def to_json(self) -> SchemaOut:
        return {
            "key": self.key.to_json(),
            "value": self.value.to_json(),
            "window": self.window.to_json() if self.window else None,
        }

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> Schema:
        """Raises KeyError, TypeError or ValueError if `json` is not a schema."""
        window = json.get("window")
        return cls(
            key=Side.from_json(json["key"]),
            value=Side.from_json(json["value"]),
            window=WindowSpec.from_json(window) if window is not None else None,
        )


@lru_cache(maxsize=4_096)
def without_names(type_: Type) -> Type:
    """The type without the names of logical types, which alone decides about bytes and comparable values."""
    if type_.item is None and not type_.fields:
        return type_ if type_.logical is None else replace(type_, logical=None)
    fields = tuple(Field(field.name, without_names(field.type)) for field in type_.fields)
    return replace(type_, item=None if type_.item is None else without_names(type_.item), fields=fields, logical=None)


@lru_cache(maxsize=4_096)
def is_alike(one: Type, other: Type) -> bool:
    """Whether values of both types can be equal: the same type, where ANY matches every type.

    Decimals need the same scale: keys are compared by their bytes, and 1.5 is written as 1.5 or as 1.50.
    """
    if Kind.ANY in (one.kind, other.kind):
        return True
    if one.kind is not other.kind or one.scale != other.scale or len(one.fields) != len(other.fields):
        return False
    if one.item is not None and other.item is not None and not is_alike(one.item, other.item):
        return False
    return all(a.name == b.name and is_alike(a.type, b.type) for a, b in zip(one.fields, other.fields, strict=True))
