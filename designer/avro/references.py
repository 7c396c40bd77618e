"""Avro schemas that refer to others: one text that defines each named type at its first use.

Registries keep such schemas apart, and name the others as references. A parser, a drawing and a checkpoint hold one
text, which needs no registry.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from designer.avro.text import load
from designer.avro.tree import PRIMITIVES
from designer.values.schemas import SchemaText

MAX_DEPTH = 100
"""Deeper schemas are returned as they are: the parser refuses them with a reason."""


@lru_cache(maxsize=64)
def inline_references(schema: SchemaText) -> str:
    """The text of a schema, with the types that it refers to inside.

    >>> money = '{"type": "fixed", "name": "shop.Money", "size": 8}'
    >>> inline_references(SchemaText("AVRO", '{"type": "array", "items": "shop.Money"}', (("shop.Money", money),)))
    '{"type": "array", "items": {"type": "fixed", "name": "shop.Money", "size": 8}}'
    """
    if not schema.references:
        return schema.text
    try:
        types: dict[str, Any] = {}
        for _, text in schema.references:
            _note_types(load(text), "", types)
        return json.dumps(_inline(load(schema.text), "", types, set(), MAX_DEPTH), ensure_ascii=False)
    except (ValueError, RecursionError):
        return schema.text


def _note_types(schema: Any, namespace: str, types: dict[str, Any]) -> None:
    match schema:
        case list():
            for each in schema:
                _note_types(each, namespace, types)
        case dict():
            full, inner = _name(schema, namespace)
            if full is not None:
                types[full] = schema if "." in str(schema["name"]) else {**schema, "namespace": inner}
            for each in _list_parts(schema):
                _note_types(each, inner, types)


def _inline(schema: Any, namespace: str, types: Mapping[str, Any], defined: set[str], left: int) -> Any:
    """`defined` are the types that the text defines so far: Avro defines each once, and then names it."""
    if left == 0:
        raise RecursionError
    match schema:
        case str() if schema not in PRIMITIVES:
            full = schema if "." in schema or f"{namespace}.{schema}" not in types else f"{namespace}.{schema}"
            if full in defined or full not in types:
                return schema
            return _inline(types[full], "", types, defined, left - 1)
        case list():
            return [_inline(each, namespace, types, defined, left - 1) for each in schema]
        case dict():
            own, inner = _name(schema, namespace)
            if own in defined:
                return own
            if own is not None:
                defined.add(own)
            changed = dict(schema)
            for name in ("type", "items", "values"):
                if name in schema and not (name == "type" and own is not None):
                    changed[name] = _inline(schema[name], inner, types, defined, left - 1)
            if isinstance(schema.get("fields"), list):
                changed["fields"] = [
                    {**each, "type": _inline(each["type"], inner, types, defined, left - 1)}
                    if isinstance(each, dict) and "type" in each
                    else each
                    for each in schema["fields"]
                ]
            return changed
        case _:
            return schema


def _name(schema: Mapping[str, Any], namespace: str) -> tuple[str | None, str]:
    """The full name of a named type, and the namespace of names inside it."""
    name = schema.get("name")
    if schema.get("type") not in ("record", "error", "enum", "fixed") or not isinstance(name, str):
        return None, namespace
    inner = name.rpartition(".")[0] if "." in name else str(schema.get("namespace") or namespace)
    return (name if "." in name or not inner else f"{inner}.{name}"), inner


def _list_parts(schema: Mapping[str, Any]) -> list[Any]:
    fields = schema.get("fields")
    inner = [each.get("type") for each in fields if isinstance(each, dict)] if isinstance(fields, list) else []
    kind = schema.get("type")
    return [*inner, schema.get("items"), schema.get("values"), None if isinstance(kind, str) else kind]
