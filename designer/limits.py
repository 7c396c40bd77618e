"""Limits on the JSON of a request: checked without recursion, before other code reads it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Annotated, Any

import orjson
from pydantic import BeforeValidator, Field
from typing_extensions import TypeAliasType

from designer.refusal_codes import DesignerCode
from designer.refusals import Refusal

MAX_DEPTH = 32
MAX_BYTES = 1_048_576


class TooMuch(Refusal):
    """JSON too deep or too long for a topology."""

    code = DesignerCode.REQUEST_TOO_MUCH
    status = 413


class Unwritable(Refusal):
    """JSON with values that cannot be stored."""

    code = DesignerCode.REQUEST_UNWRITABLE
    status = 422


def check_storable(json: Any) -> Any:
    """The same value if Postgres can store it: at most 32 levels deep and 1 MB long, without NUL characters."""
    refuse_unwritable(json, MAX_DEPTH)
    try:
        text = orjson.dumps(json)
    except TypeError as error:
        raise Unwritable("The JSON contains a number or a text that cannot be stored.", "Correct it.") from error
    if len(text) > MAX_BYTES:
        raise TooMuch("The JSON is longer than 1 MB.", "Split the topology in two.")
    return orjson.loads(text)


def refuse_unwritable(json: Any, deepest: int) -> None:
    """Raises a Refusal for JSON with deeper nesting, or with a text that no database stores."""
    level, depth = [json], 0
    while level:
        if not is_writable("".join(each for each in level if isinstance(each, str))):
            message = "A text contains a NUL character or half a surrogate pair, which cannot be stored."
            raise Unwritable(message, "Remove it.")
        level = list(chain.from_iterable(map(_list_members, level)))
        depth += bool(level)
        if depth > deepest:
            raise TooMuch(f"The JSON is nested deeper than {deepest} levels.", "Send an exported topology.")


def _list_members(json: Any) -> Iterable[Any]:
    """The members of an object or list, and an object's names."""
    if isinstance(json, dict):
        return chain(json, json.values())
    return json if isinstance(json, list) else ()


def is_writable(text: str) -> bool:
    """Whether a database can store a text, or look for it."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


AnyJson = TypeAliasType("AnyJson", Annotated[Any, Field(description="Any JSON value. Users decide its contents.")])
"""JSON in a shape that users decide, such as the value of a record. `tests/webapp/test_contract.py` lists each use."""

Json = Annotated[AnyJson, BeforeValidator(check_storable)]
"""The same in a request."""
