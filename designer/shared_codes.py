"""Codes that are one list for clients, though each room names its own: refusals and issues."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema


@dataclass(frozen=True)
class CodeList:
    """All codes of a kind by their text, and the name and description of the kind in the API's schema."""

    name: str
    description: str
    codes: dict[str, Any] = field(default_factory=dict)

    def add(self, code: str, member: str) -> None:
        """Raises TypeError if a room lists a code that is there already."""
        if code in self.codes:
            raise TypeError(f"The code `{code}` is listed twice.")
        self.codes[code] = member


class SharedCode(StrEnum):
    """The base of a kind of code. It has no members; the enums that inherit from it have them.

    Pydantic reads a code that is not listed as `unknown`: another version of the product may have stored or sent it.
    """

    @classmethod
    def get_list(cls) -> CodeList:
        """The codes of all rooms of this kind. Each kind overrides it."""
        raise NotImplementedError

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        found = cls.get_list()
        return core_schema.no_info_plain_validator_function(
            lambda text: found.codes.get(text, found.codes["unknown"]), ref=f"{__name__}.{found.name}:0"
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Names all codes that are listed by now. Import all rooms before."""
        found = cls.get_list()
        return {"title": found.name, "description": found.description, "type": "string", "enum": sorted(found.codes)}
