"""What the forms of sources and sinks say of Avro."""

import json
from typing import Any

import pytest

from designer.checks import check
from designer.schemas import INTEGER, STRING, struct
from tests.runner.drawing import Drawing

ORDER = json.dumps({"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]})


def said(drawing: Drawing) -> list[tuple[str, str | None]]:
    return [(issue.code, issue.field) for issue in check(drawing.graph)]


def written(value: Any = None, **config: Any) -> Drawing:
    return Drawing().stream("orders", value or struct(id=INTEGER)).to("out", "orders", **config)


def test_a_schema_makes_the_format_avro() -> None:
    assert said(written(value_schema=ORDER)) == []


@pytest.mark.parametrize(
    ("drawing", "issue"),
    [
        (written(value_format="avro"), ("avro.schema_missing", "value_format")),
        (written(value_format="avro", value_schema="{"), ("avro.schema", "value_schema")),
        (written(STRING, value_format="avro", value_schema=ORDER), ("format.misfit", "value_format")),
        (written(value_schema=ORDER, avro_header="confluent"), ("avro.id_missing", "value_schema_id")),
        (
            Drawing().stream("orders", key_format="avro").to("out", "orders", key_format="json"),
            ("avro.schema_missing", "key_format"),
        ),
    ],
)
def test_what_is_missing_is_said_at_its_field(drawing: Drawing, issue: tuple[str, str]) -> None:
    assert issue in said(drawing)
