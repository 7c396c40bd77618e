"""Codes for refused requests and failed runs. Programs and the page compare them, and stored failures keep them.

Each room lists the codes that it gives, in an enum that inherits `RefusalCode`: `codes.py` of the room.
"""

from __future__ import annotations

from typing import Self

from designer.shared_codes import CodeList, SharedCode

LISTED = CodeList(
    "RefusalCode",
    "What kind of refusal or failure it is. `meaning` says it in general, the message with names and numbers.",
)
CODES: dict[str, RefusalCode] = LISTED.codes
"""Every code, by its text. The enums of the rooms fill it."""


class RefusalCode(SharedCode):
    """What kind of refusal or failure it is. `meaning` says it in general, the message with names and numbers."""

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        LISTED.add(code, member)
        return member

    @classmethod
    def get_list(cls) -> CodeList:
        return LISTED


def read_code(text: str) -> RefusalCode:
    """Return the code of this text, or `UNKNOWN`: another version of the product may have stored or sent it.

    >>> read_code("not_found").name
    'NOT_FOUND'
    """
    return CODES.get(text, DesignerCode.UNKNOWN)


class DesignerCode(RefusalCode):
    """Codes of any request, and of topologies, their projects and test cases."""

    UNKNOWN = ("unknown", "Another version of Streamwright gave the code, and this one does not know it.")
    REFUSED = ("refused", "The server cannot execute the request as it is.")
    NOT_FOUND = ("not_found", "There is no such address, or nothing has this name or id.")
    CONFLICT = ("conflict", "The resource is not in the state that the request needs.")
    REQUEST_TOO_MUCH = ("request.too_much", "The body is too long, or nested too deep.")
    REQUEST_UNWRITABLE = ("request.unwritable", "The body has values that cannot be stored.")
    RIGHTS_MISSING = ("rights.missing", "The user's role in the project does not allow it.")
    CODE_NOT_PERMITTED = ("code.not_permitted", "The user may not run Python.")
    GRAPH_MALFORMED = ("graph.malformed", "The JSON is not a graph.")
    CHECK_TOO_COSTLY = ("check.too_costly", "The check of the graph takes too much time or memory.")
    TOPOLOGY_HAS_ISSUES = ("topology.has_issues", "The graph has issues. `issues` lists them.")
    COMMENT_BAD = ("comment.bad", "The comment is empty or too long, or the topology has too many.")
    CASE_TOO_MANY = ("case.too_many", "The topology would have too many test cases, or too long ones.")
    SCHEMA_BAD = ("schema.bad", "The text is not a valid schema of its kind.")
