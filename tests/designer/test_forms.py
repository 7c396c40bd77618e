"""What the page draws a form from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from designer.catalogue import catalogue
from designer.forms import form_schema
from runner.plan import JobSettings


def fields(form: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The fields of a form and of its rows."""
    for part in (form, *form.get("$defs", {}).values()):
        yield from part.get("properties", {}).values()


def test_a_title_is_a_label_without_the_unit() -> None:
    windows = form_schema(catalogue()["windowed_by"])["properties"]

    assert windows["size_ms"]["title"] == "Size"
    assert windows["idle_ms"]["title"] == "Idle time"
    assert form_schema(catalogue()["to"])["properties"]["create_if_missing"]["title"] == "Create if missing"


@pytest.mark.parametrize("form", [JobSettings, *catalogue().values()])
def test_every_field_has_a_title(form: Any) -> None:
    assert [field for field in fields(form_schema(form)) if not field.get("title")] == []


def test_the_unit_of_a_setting_is_its_format() -> None:
    settings = form_schema(JobSettings)["properties"]

    assert {name: said.get("format") for name, said in settings.items() if name.endswith(("_ms", "_mb"))} == {
        "batch_interval_ms": "milliseconds",
        "memory_mb": "mebibytes",
        "memory_limit_mb": "mebibytes",
    }
