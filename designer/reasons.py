"""Reasons why a node's record gave no result. The words are in numbers, metrics and on screens."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Self

ReasonKind = Literal["late", "null_key", "predicate", "partner", "waiting", "other"]
"""The use of the reason in the answer why nothing comes out of a node. Later records replace or join `waiting` ones."""


class Reason(StrEnum):
    """The words of a reason, its kind, and the remedy.

    Stored numbers of earlier versions have the same words.
    """

    __slots__ = ("words",)  # Python reads it faster than another attribute of a member

    LATE = "late", "late", "Raise the grace of windowed_by or of the join, or `history_ms` of the table."
    PAST_RETENTION = "past retention", "other", "Raise `retention_ms` of windowed_by to keep windows longer."
    NULL_KEY = "null key", "null_key", "Set a key upstream, with select_key or map."
    NULL_KEY_BEFORE_SHUFFLE = (
        "null key before repartition",
        "null_key",
        "Choose a key that is never null. Kafka Streams drops such records without counting them.",
    )
    NULL_VALUE = "null value", "other", "Set a value upstream with map_values, or remove such records with a filter."
    NULL_FOREIGN_KEY = "null foreign key", "null_key", "Change its expression, or remove such rows with a filter."
    OLDER_THAN_ROW = "older than the row"
    NEWER_LEFT_ROW = "the left row is another by now"

    TOO_MANY_RESULTS = (
        "too many results of one record",
        "other",
        "Make shorter lists. The dead letter of the record names the node that made too many.",
    )

    PREDICATE = "predicate", "predicate"
    NO_BRANCH = "no branch", "predicate"
    NO_MATCH = "no match", "partner"
    NO_PARTNER = "no partner yet", "partner"
    NO_OTHER_ROW = "no row on the other side", "partner"
    NO_RIGHT_ROW = "no right row", "partner"
    OPEN_WINDOW = "added to an open window", "waiting"
    NEWER_IN_BUFFER = "replaced while it waited", "waiting"

    NEWER_IN_CACHE = "replaced in the cache"
    REPEAT = "repeat"
    NO_GROUP = "in no group"
    EMPTY_LIST = "empty list"
    NO_ROW = "no row before or after"
    NO_LEFT_ROW = "no left row names it"
    END_OF_LEFT_ROW = "left row gone"
    UPDATE_OF_LEFT_ROW = "news of a left row"
    OTHER_RESULT = "in the result of one that waited"
    BEFORE_WINDOWS = "before the first window"
    DELETION = "deleted before its window closed"
    END_OF_RETENTION = "past retention before its window closed"
    NOTHING_OF_CODE = "nothing forwarded"
    NOTHING = "nothing to forward"
    ERROR_ELSEWHERE = "failed in another node"

    text: str
    """A plain string for counters: a dictionary finds it faster than a member."""
    kind: ReasonKind
    cure: str
    """The remedy if records should not be dropped for this reason. Empty if there is none."""

    def __new__(cls, text: str, kind: ReasonKind = "other", cure: str = "") -> Self:
        member = str.__new__(cls, text)
        member._value_ = member.text = text
        member.kind, member.cure = kind, cure
        return member


BY_TEXT = {reason.text: reason for reason in Reason}
CURES = {reason.text: reason.cure for reason in Reason if reason.cure}

LATE = Reason.LATE
PAST_RETENTION = Reason.PAST_RETENTION
NULL_KEY = Reason.NULL_KEY
NULL_KEY_BEFORE_SHUFFLE = Reason.NULL_KEY_BEFORE_SHUFFLE
NULL_VALUE = Reason.NULL_VALUE
NULL_FOREIGN_KEY = Reason.NULL_FOREIGN_KEY
OLDER_THAN_ROW = Reason.OLDER_THAN_ROW
NEWER_LEFT_ROW = Reason.NEWER_LEFT_ROW
NO_RIGHT_ROW = Reason.NO_RIGHT_ROW
END_OF_LEFT_ROW = Reason.END_OF_LEFT_ROW
OTHER_RESULT = Reason.OTHER_RESULT
BEFORE_WINDOWS = Reason.BEFORE_WINDOWS
TOO_MANY_RESULTS = Reason.TOO_MANY_RESULTS
DELETION = Reason.DELETION
END_OF_RETENTION = Reason.END_OF_RETENTION
"""For code that runs once per record. In Python 3.11, the look-up of a member takes as long as the rest of a drop."""
