"""The schema from which the page draws a form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from designer.topology.catalogue import get_catalogue
from designer.topology.forms import make_form_schema
from runner.plan import JobSettings


def fields(form: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The fields of a form and of its rows."""
    for part in (form, *form.get("$defs", {}).values()):
        yield from part.get("properties", {}).values()


def test_a_title_is_a_label_without_the_unit() -> None:
    windows = make_form_schema(get_catalogue()["windowed_by"])["properties"]

    assert windows["size_ms"]["title"] == "Size"
    assert windows["idle_ms"]["title"] == "Idle time"
    assert make_form_schema(get_catalogue()["to"])["properties"]["create_if_missing"]["title"] == "Create if missing"


@pytest.mark.parametrize("form", [JobSettings, *get_catalogue().values()])
def test_every_field_has_a_title(form: Any) -> None:
    assert [field for field in fields(make_form_schema(form)) if not field.get("title")] == []


def test_the_unit_of_a_setting_is_its_format() -> None:
    settings = make_form_schema(JobSettings)["properties"]

    assert {name: said.get("format") for name, said in settings.items() if name.endswith(("_ms", "_mb"))} == {
        "batch_interval_ms": "milliseconds",
        "batch_size_mb": "mebibytes",
        "memory_mb": "mebibytes",
        "memory_limit_mb": "mebibytes",
    }


def word_stems(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", text.lower())}


EMPTY_WORDS = word_stems("a an and by each each's for in is it its of or that the this to with new")


@pytest.mark.parametrize("form", [JobSettings, *get_catalogue().values()])
def test_help_adds_to_the_label(form: Any) -> None:
    for field in fields(make_form_schema(form)):
        added = word_stems(field.get("description", "")) - word_stems(field["title"]) - EMPTY_WORDS
        assert len(added) > 2, f"{field['title']}: {field.get('description')}"


def test_a_form_says_what_few_set_and_which_ways_there_are() -> None:
    aggregate = make_form_schema(get_catalogue()["aggregate"])["properties"]

    assert aggregate["functions"]["way"] != aggregate["add"]["way"] == aggregate["init"]["way"]
    assert [name for name, said in aggregate.items() if said.get("more")] == ["store", "ttl_ms", "on_error"]


def test_an_expression_is_little_used_in_rows_that_need_none() -> None:
    function = make_form_schema(get_catalogue()["aggregate"])["$defs"]["AggregateFunction"]["properties"]

    assert function["expression"]["more"] == {"function": ["count"]}
    assert function["order_by"]["more"] is True
