"""What the process of a proof reports, as JSON. `runner.watch.proving.models` has the whole report.

These types are apart because the web server names them without Spark's packages.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from runner.engine.records.record import OriginJson

Grade = Literal[
    "same_last_value", "other_value", "missing", "extra", "other_key", "other_order", "other_time", "other_failure"
]
"""How results of one input record differ for one topic and key.

`same_last_value`: by other steps. `missing`, `extra`: only the running version or only the new one gives a result.
`other_key`: the same value under another key. `other_order`: the same results. `other_time`: the same value with
another time, or caused by another input record. `other_failure`: a dead letter for another reason.
"""
CorrectionKind = Literal["newest", "earlier", "deleted", "missing", "extra", "other_value"]
"""What a correction does.

In a table: `newest` sends the right value of a key. `earlier` sends again the value before, because the right version
changes nothing. `deleted` sends a tombstone, because there was no value before.
Of a stream: the job did not send a record (`missing`), should not have sent it (`extra`), or sent another one.
"""


class ShownResult(TypedDict):
    """A result as its topic shows it: key and value are values, or texts that say what the bytes are.

    A dead letter has a reason instead of a time and headers.
    """

    key: Any
    value: Any
    timestamp: NotRequired[int]
    headers: NotRequired[str]
    reason: NotRequired[str | None]


class ProofInput(TypedDict):
    """An input record."""

    topic: str
    key: Any
    value: Any
    timestamp: int


class ProofDifference(TypedDict):
    """Results of one input record for one topic and key, which differ between both versions."""

    grade: Grade
    topic: str | None
    """None: dead letters."""
    key: str
    origin: OriginJson
    at: str
    """The input record: `orders-3@18811`."""
    input: ProofInput | None
    records: list[ProofInput]
    """The newest input records of that key, for a test case."""
    old: list[ShownResult]
    new: list[ShownResult]
    fields: list[str]
    """Fields that differ. "" is the whole value."""
    node: str
    batch: int
    time: int


class ProofFieldCounts(TypedDict):
    keys: int
    share: float
    first: str


class ProofVersionCounts(TypedDict):
    old: int
    new: int


class ProofTopicCounts(TypedDict):
    """Numbers of one output topic. `grades` counts differences by kind."""

    results: ProofVersionCounts
    grades: dict[Grade, int]
    keys: int
    differing_keys: int
    fields: dict[str, ProofFieldCounts]
    first: str | None


class ProofNodeCounts(TypedDict):
    """Input records for which a node gave something, and for which it gave something else in the new version."""

    inputs: int
    differing: int
    share: float
    first: str | None
    differences: Annotated[int, Field(description="Differences of results that begin here.")]


class ProofRepeated(TypedDict):
    """Batches of the running version whose written results are known, and those that gave the same bytes again."""

    batches: int
    same: int
    twice: int


class ComparedBatches(TypedDict):
    """What both versions gave so far. `since` and `until` are times of batches, in ms since 1970."""

    equal: bool
    sentence: str
    batches: int
    records: int
    since: int
    until: int
    last_batch: int
    repeated: ProofRepeated
    noise: list[str]
    """Topics whose results differ between two runs of the running version."""
    topics: dict[str, ProofTopicCounts]
    nodes: dict[str, ProofNodeCounts]
    first_node: str | None
    count: int
    first: list[ProofDifference]
    newest: list[ProofDifference]
    topics_without_records: list[str]
    """Topics that only the new version reads."""
    unobserved: int
    """Batches with too many records to look at nodes."""
    not_recorded: dict[str, ProofVersionCounts]
    """By node with users' Python, how often it asked other servers for what was not recorded, so nothing was compared.

    This includes the batches that rebuild the state of the new version.
    """
