"""The editor learns from us what may be written."""

from __future__ import annotations

from designer.expressions import check, expression_help, names_in
from tests.designer.expressions.sample import SCOPE


def test_every_function_comes_with_its_signature_and_help() -> None:
    help_ = {entry["name"]: entry for entry in expression_help()}

    assert help_["substring"] == {
        "name": "substring",
        "signature": "substring(text: string, start: integer, [length: integer]) -> string",
        "help": "The given number of characters from a position; a negative position counts from the end.",
    }
    assert help_["cast"]["signature"] == "CAST(value AS type)"
    assert list(help_) == sorted(help_)


def test_every_name_offered_is_an_expression_of_the_type_it_says() -> None:
    names = {entry["name"]: entry["type"] for entry in names_in(SCOPE)}

    assert names["dep_delay"] == "integer"
    assert names["address.city"] == "string"
    assert names["`end`"] == "integer"
    assert names["timestamp"] == "integer"
    assert names["value.timestamp"] == "string"
    assert names["tags"] == "list of string"
    for name in names:
        check(name, SCOPE)
