"""JSON Schemas of common keywords as rules that the kernel takes. A schema with any other keyword is `NotInKernel`.

The kernel only decides that a value is valid. Every other value goes to the Python engine, where jsonschema-rs judges
it and writes the message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from designer.json_schema import parse
from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import RegistrySchemas, Side, Type
from runner.engine.kernel.expressions import NotInKernel
from runner.engine.kernel.framing import list_writers, write_frame

Json = Any
ANNOTATIONS = frozenset({"$schema", "$comment", "title", "description", "default", "examples", "deprecated"})
ANNOTATIONS |= {"readOnly", "writeOnly", "javaType", "existingJavaType", "definitions", "$defs"}
"""Keywords that say nothing of what is valid, as long as nothing refers to definitions."""
WORDS = ("null", "boolean", "integer", "number", "string", "array", "object")
BOUNDS = {"minimum": "least", "maximum": "most", "exclusiveMinimum": "above", "exclusiveMaximum": "below"}
COUNTS = {"minItems": ("items", 0), "maxItems": ("items", 1), "minLength": ("length", 0), "maxLength": ("length", 1)}
WHOLE = frozenset({"struct", "map", "list"})


def write_codec(side: Side, schemas: RegistrySchemas, header: str, write_type: Callable[[Type], Json]) -> Json:
    """The bytes of a side in JSON with a schema. `header` is the name of the record header that may hold the id.

    Records that another schema wrote are left to the Python engine. Raises NotInKernel.
    """
    schema = side.schema
    assert schema is not None
    own = parse(schema.text)
    if own.part.type.kind.value not in WHOLE:
        raise NotInKernel("a JSON Schema of other values than objects and lists")
    ids = {number: 0 for number, text in list_writers(side, schemas) if text == schema.text}
    frame = write_frame(schema, header, ids)
    return {
        "format": "json_schema",
        **frame,
        "type": write_type(own.part.type),
        "rule": _write(own.schema, is_root=True),
    }


def _write(schema: Any, *, is_root: bool = False) -> Json:
    if schema is True:
        schema = {}
    if not isinstance(schema, Mapping):
        raise NotInKernel("such a JSON Schema")
    rule: dict[str, Json] = {"words": [], "takes_null": False, "choices": None, "members": [], "others": None}
    rule |= {"item": None, "items": [0, None], "length": [0, None], "bounds": []}
    for word in ("oneOf", "anyOf"):
        if word in schema:
            return _write_nullable(schema, word)
    required = _list_texts(schema.get("required", []))
    for name, content in schema.items():
        if name in ANNOTATIONS or name.startswith("connect.") or (name == "$id" and is_root):
            continue
        if name == "type":
            rule["words"] = _list_texts([content] if isinstance(content, str) else content)
        elif name == "enum" or name == "const":
            rule["choices"] = [_write_choice(each) for each in (content if name == "enum" else [content])]
        elif name == "properties" and isinstance(content, Mapping):
            rule["members"] = [[each, each in required, _write(of)] for each, of in content.items()]
        elif name == "required":
            if not set(required) <= set(schema.get("properties", {})):
                raise NotInKernel("a JSON Schema that requires members without a schema")
        elif name == "additionalProperties":
            rule["others"] = content if isinstance(content, bool) else _write(content)
        elif name == "items":
            rule["item"] = _write(content)
        elif name in BOUNDS:
            rule["bounds"].append([BOUNDS[name], _write_bound(content)])
        elif name in COUNTS and type(content) is int and content >= 0:
            part, place = COUNTS[name]
            rule[part][place] = content
        elif not (name == "uniqueItems" and content is False):
            raise NotInKernel(f"the keyword `{name}` in JSON Schema")
    if "enum" in schema and "const" in schema:
        raise NotInKernel("enum and const in one JSON Schema")
    return rule


def _write_nullable(schema: Mapping[str, Any], word: str) -> Json:
    """A schema that accepts null, or what one other schema accepts."""
    others = set(schema) - ANNOTATIONS - {word}
    options = schema[word]
    if any(not name.startswith("connect.") for name in others) or not isinstance(options, list) or len(options) != 2:
        raise NotInKernel(f"`{word}` of several types in JSON Schema")
    some = [each for each in options if each != {"type": "null"}]
    if len(some) != 1:
        raise NotInKernel(f"`{word}` of several types in JSON Schema")
    rule: dict[str, Json] = _write(some[0])
    if rule["takes_null"] or not rule["words"] or "null" in rule["words"]:
        raise NotInKernel(f"`{word}` of several types in JSON Schema")
    return rule | {"takes_null": True}


def _list_texts(texts: Any) -> list[str]:
    if not isinstance(texts, list) or any(type(each) is not str for each in texts):
        raise NotInKernel("such a JSON Schema")
    return texts


def _write_choice(value: Any) -> Json:
    if value is None or type(value) in (bool, str) or (type(value) is int and MIN_LONG <= value <= MAX_LONG):
        return value
    raise NotInKernel("such a value in an enum of JSON Schema")


def _write_bound(value: Any) -> Json:
    if (type(value) is int and MIN_LONG <= value <= MAX_LONG) or (type(value) is float and value - value == 0):
        return value
    raise NotInKernel("such a limit in JSON Schema")
