"""Whether what is sent is what the page's generated types say."""

from typing import Any

import orjson
from pydantic import TypeAdapter


def assert_described(message: Any, by: Any) -> None:
    """The message fits its schema, and has no member that the schema does not know."""
    schema = TypeAdapter(by)
    assert schema.dump_python(schema.validate_json(orjson.dumps(message)), mode="json") == message
