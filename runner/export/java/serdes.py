"""Java that reads and writes keys and values: Kafka's own serdes, and `Json` of the program."""

from __future__ import annotations

from designer.expressions.java import NotInJava, find_java_type, quote_text
from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import Kind, Side, Type, WindowSpec

KAFKA_S = {"string": "String", "long": "Long", "double": "Double", "boolean": "Boolean", "bytes": "ByteArray"}
JSON = {Kind.BOOLEAN: "BOOLEAN", Kind.INTEGER: "LONG", Kind.DOUBLE: "DOUBLE", Kind.STRING: "STRING"}
JSON |= {Kind.BYTES: "BYTES", Kind.ANY: "ANY"}


def write_serde(side: Side) -> str:
    """The serde of a side. Raises NotInJava for a format with a schema."""
    if side.format in SCHEMA_FORMATS:
        raise NotInJava(f"the format {side.format} cannot be exported as Java yet")
    if side.format == "none":
        return "Formats.none()"
    if side.format == "json":
        return f"Json.<{find_java_type(side.type)}>serde({write_json_type(side.type)})"
    if side.format == "integer":
        return "Formats.integer()"
    serde = f"Serdes.{KAFKA_S[side.format]}()"
    return serde if side.type.kind is not Kind.ANY else f"Formats.<Object>untyped({serde})"


def write_json_type(type_: Type) -> str:
    """Type with which `Json` reads values."""
    match type_.kind:
        case Kind.DECIMAL:
            return f"Json.decimal({type_.precision}, {type_.scale})"
        case Kind.LIST | Kind.MAP:
            item = "Json.ANY" if type_.item is None else write_json_type(type_.item)
            return f"Json.{type_.kind.value}({item})"
        case Kind.STRUCT:
            fields = [f"Json.field({quote_text(field.name)}, {write_json_type(field.type)})" for field in type_.fields]
            return f"Json.struct({', '.join(fields)})"
        case Kind.UNION:
            raise NotInJava("unions have no Java")
        case _:
            return f"Json.{JSON[type_.kind]}"


def write_key_serde(side: Side, window: WindowSpec | None) -> str:
    """The serde of keys, which may be windowed, in Kafka's own bytes."""
    inner = write_serde(side)
    if window is None:
        return inner
    class_ = find_java_type(side.type)
    if window.kind == "session":
        return f"new WindowedSerdes.SessionWindowedSerde<{class_}>({inner})"
    return f"new WindowedSerdes.TimeWindowedSerde<{class_}>({inner}, {window.length_ms}L)"
