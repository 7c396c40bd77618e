"""The editor learns from us what may be written."""

from __future__ import annotations

from designer.expressions import check, describe_functions, list_names_in
from designer.topology.catalogue import Scope
from designer.values.schemas import INTEGER, STRING, struct
from tests.designer.expressions.sample import SCOPE


def test_every_function_comes_with_its_signature_and_help() -> None:
    help_ = {entry["name"]: entry for entry in describe_functions()}

    assert help_["substring"] == {
        "name": "substring",
        "signature": "substring(text: string, start: integer, [length: integer]) -> string",
        "help": "The given number of characters from a position; a negative position counts from the end.",
    }
    assert help_["cast"] == {
        "name": "cast",
        "signature": "CAST(value AS type)",
        "help": "Converts a value to BOOLEAN, BIGINT, DOUBLE, DECIMAL(10, 2), STRING or BINARY.",
    }
    assert help_["try_cast"] == {
        "name": "try_cast",
        "signature": "TRY_CAST(value AS type)",
        "help": "Like CAST, but gives null if the conversion fails.",
    }
    assert list(help_) == sorted(help_)


def test_every_name_offered_is_an_expression_of_the_type_it_says() -> None:
    names = {entry["name"]: entry["type"] for entry in list_names_in(SCOPE)}

    assert names["dep_delay"] == "integer"
    assert names["address.city"] == "string"
    assert names["`end`"] == "integer"
    assert names["timestamp"] == "integer"
    assert names["value.timestamp"] == "string"
    assert names["tags"] == "list of string"
    for name in names:
        check(name, SCOPE)


def test_names_lead_three_levels_deep_into_structs_and_roles_are_said_once() -> None:
    deep = struct(a=struct(b=struct(c=struct(d=INTEGER))), key=STRING)
    scope = Scope({"key": STRING, "value": deep}, spread="value")

    assert [entry["name"] for entry in list_names_in(scope)] == [
        *("a", "a.b", "a.b.c", "a.b.c.d", "key"),
        *("value", "value.a", "value.a.b", "value.a.b.c", "value.key"),
    ]
    assert list_names_in(Scope({"agg": INTEGER})) == [{"name": "agg", "type": "integer"}]
