"""Changes of an Avro schema: the registry's own verdict at both levels, and the field that we name for a refusal."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from designer.avro import parse
from designer.avro.resolution import find_mismatch
from designer.values.schemas import SchemaText
from runner.registry import Registry
from runner.registry.imports import judge_with_imports

ID = {"name": "id", "type": "long"}


def record(*fields: Any, **more: Any) -> dict[str, Any]:
    return {"type": "record", "name": "Order", "fields": [ID, *fields], **more}


def field(name: str, type_: Any, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type_, **more}


def enum(*symbols: str, **more: Any) -> dict[str, Any]:
    return {"type": "enum", "name": "Kind", "symbols": list(symbols), **more}


CHANGES: list[tuple[str, Any, Any, bool, bool]] = [
    # what changes, before, after, BACKWARD accepts it, FORWARD accepts it
    ("add", record(), record(field("note", "string")), False, True),
    ("add with a default", record(), record(field("note", "string", default="")), True, True),
    ("remove", record(field("note", "string")), record(), True, False),
    ("remove with a default", record(field("note", "string", default="")), record(), True, True),
    ("rename", record(field("note", "string")), record(field("memo", "string")), False, False),
    (
        "rename with an alias",
        record(field("note", "string")),
        record(field("memo", "string", aliases=["note"])),
        True,
        False,
    ),
    ("widen", record(field("n", "int")), record(field("n", "long")), True, False),
    ("narrow", record(field("n", "long")), record(field("n", "int")), False, True),
    ("another type", record(field("n", "int")), record(field("n", "string")), False, False),
    ("another default", record(field("n", "int", default=1)), record(field("n", "int", default=2)), True, True),
    ("may be null", record(field("n", "int")), record(field("n", ["null", "int"])), True, False),
    ("a symbol more", record(field("k", enum("A"))), record(field("k", enum("A", "B"))), True, False),
    ("a symbol less", record(field("k", enum("A", "B"))), record(field("k", enum("A"))), False, True),
    (
        "a symbol less with a default",
        record(field("k", enum("A", "B"))),
        record(field("k", enum("A", default="A"))),
        True,
        True,
    ),
]


@pytest.mark.parametrize(
    ("before", "after", "backward", "forward"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES]
)
def test_the_registry_judges_a_change_and_we_name_its_field(
    registry_url: str, before: Any, after: Any, backward: bool, forward: bool
):
    registry, subject = Registry(registry_url, {}, is_internal=True), f"evolution-{uuid4().hex[:8]}"
    registry.register(subject, SchemaText("AVRO", json.dumps(before)))
    verdicts = {}
    for level in ("BACKWARD", "FORWARD", "FULL", "NONE"):
        registry.client.set_compatibility(subject, level)
        verdicts[level] = registry.judge(subject, SchemaText("AVRO", json.dumps(after)))

    accepted = {level: verdict.is_compatible for level, verdict in verdicts.items()}
    assert accepted == {"BACKWARD": backward, "FORWARD": forward, "FULL": backward and forward, "NONE": True}
    assert {verdict.level for verdict in verdicts.values()} == set(verdicts)
    # whatever we call impossible, the registry refuses
    if find_mismatch(parse(json.dumps(before)), parse(json.dumps(after))):
        assert not backward
    if find_mismatch(parse(json.dumps(after)), parse(json.dumps(before))):
        assert not forward


def test_a_subject_that_does_not_exist_yet_accepts_a_schema_that_refers_to_others(registry_url: str):
    registry, subject = Registry(registry_url, {}, is_internal=True), f"evolution-{uuid4().hex[:8]}"
    kind = json.dumps(enum("A"))
    order = SchemaText("AVRO", json.dumps(record(field("kind", "Kind"))), (("Kind", kind),))

    verdict = judge_with_imports(registry, subject, order)

    assert verdict == registry.judge(subject, SchemaText("AVRO", kind))
    assert verdict.is_compatible
