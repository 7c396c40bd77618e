"""Request and response models of proofs."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field

from designer.projects.schemas import RefusalOut, RequestBody
from runner.control.jobs.statuses import OnState
from runner.spark.proving.report import (
    Grade,
    ProofInput,
    ProofNodeCounts,
    ProofRepeated,
    ProofTopicCounts,
    ProofVersionCounts,
)
from runner.watch.proving.corrections import explain_no_state, is_taken
from runner.watch.proving.models import Correction, CorrectionPreview, Proof, ProofRebuilt, ProofStore
from runner.watch.proving.newest import explain_outdated, explain_state, find_rebuilt
from runner.watch.trials.schemas import OriginOut


class ProofIn(RequestBody):
    """What to prove: a version, or the draft of the job's topology."""

    version: int | None = Field(None, description="Id of a version of the topology. Null: its draft.")
    minutes: float = Field(
        10.0, ge=0, le=7 * 24 * 60, description="How far back the proof begins. 0: with the newest batch."
    )
    live_seconds: float = Field(0.0, ge=0, le=3_600, description="How long it then compares new batches.")
    is_rebuilt: bool = Field(
        False,
        description="Rebuild all state of the new version from the topics, instead of keeping the stores that a deploy "
        "would keep.",
    )


class CutOverIn(RequestBody):
    """What happens to state that the proved version cannot keep, as in a deploy."""

    on_state: OnState = OnState.KEEP


class PinIn(RequestBody):
    note: str = Field("", max_length=200, description="What the batch shows.")
    record: OriginOut | None = Field(None, description="The input record that shows it.")


class PinOut(Schema):
    """A batch whose manifest stays. `time` is that of the batch, `at` when it was pinned, in ms since 1970."""

    batch: int
    time: int
    at: int
    by: str
    note: str
    record: OriginOut | None = Field(description="The input record that it was pinned for.")


class PinsOut(Schema):
    """Pinned batches, oldest first, and how long and how much is kept of other batches."""

    pins: list[PinOut]
    max_pins: int
    kept_days: int
    kept_bytes: int


# These three are models, unlike the rest of a report: they fill in what dead letters and older reports lack.
class ProofResultOut(Schema):
    """A result as its topic shows it."""

    key: Any
    value: Any
    timestamp: int | None = None
    headers: str | None = None
    reason: str | None = None


class ProofDifferenceOut(Schema):
    """Results of one input record for one topic and key, which differ between both versions."""

    grade: Grade
    topic: str | None = Field(description="Null: dead letters.")
    key: str
    origin: OriginOut
    at: str = Field(description="The input record: `orders-3@18811`.")
    input: ProofInput | None
    records: list[ProofInput] = Field(description="The newest input records of that key, for a test case.")
    old: list[ProofResultOut]
    new: list[ProofResultOut]
    fields: list[str] = Field(description='Fields that differ. "" is the whole value.')
    node: str
    batch: int
    time: int


class ProofReportOut(Schema):
    """What is known so far. `since` and `until` are times of batches, in ms since 1970."""

    equal: bool
    sentence: str
    batches: int
    records: int
    since: int
    until: int
    last_batch: int
    repeated: ProofRepeated
    noise: list[str] = Field(description="Topics whose results differ between two runs of the running version.")
    topics: dict[str, ProofTopicCounts]
    nodes: dict[str, ProofNodeCounts]
    first_node: str | None
    count: int
    first: list[ProofDifferenceOut]
    newest: list[ProofDifferenceOut]
    topics_without_records: list[str]
    unobserved: int = Field(description="Batches with too many records to look at nodes.")
    not_recorded: dict[str, ProofVersionCounts] = Field(
        {},
        description="By node with users' Python, how often it asked other servers for what was not recorded. "
        "Then it is not known whether the results are equal.",
    )
    limits: list[str]
    rebuilt: ProofRebuilt | None = Field(
        None, description="How the state was rebuilt from the topics. Null: the stores were kept that a deploy keeps."
    )
    stores: list[ProofStore]
    seconds: float
    records_per_second: int
    memory: int = Field(0, description="Bytes that its processes hold, besides files of state.")
    cores: float = Field(0.0, description="Processor time of its processes, per second.")
    disk: int = Field(0, description="Bytes of its copies of the state.")
    kept_batches: int = Field(0, description="Kept batches to compare. New ones come on top.")
    left_s: float | None = Field(
        None, description="About how long the rebuilding, or else the comparing of kept batches, still takes."
    )


class ProofOut(Schema):
    """The newest proof of a job."""

    title: str
    against: int | None = Field(description="Number of the version that it was compared with.")
    outdated: str = Field(description="Why its version cannot take over now. Empty if it can.")
    minutes: float
    live_seconds: float
    is_rebuilt: bool
    takes_state: bool = Field(description="Its version takes over with the state that was rebuilt.")
    about_state: str = Field(
        description="With which state its version takes over, in words. Empty if no state was rebuilt."
    )
    started_at: datetime
    status: Literal["running", "equal", "differs", "failed"]
    report: ProofReportOut | None
    failure: RefusalOut | None

    @staticmethod
    def resolve_against(proof: Proof) -> int | None:
        return proof.against.number if proof.against else None

    @staticmethod
    def resolve_outdated(proof: Proof) -> str:
        return explain_outdated(proof)

    @staticmethod
    def resolve_takes_state(proof: Proof) -> bool:
        return find_rebuilt(proof) is not None

    @staticmethod
    def resolve_about_state(proof: Proof) -> str:
        return explain_state(proof)


class CorrectionIn(RequestBody):
    """What to correct, and what is right: a version, or the draft of the job's topology."""

    version: int | None = Field(None, description="Id of a version of the topology. Null: its draft.")
    batch: int = Field(ge=0, description="The first batch whose results are corrected.")
    topic: str = Field(
        "",
        max_length=249,
        description="Topic for corrections of streams: Kafka takes no record of a stream back. It may be missing if "
        "only tables differ.",
    )
    tables: list[str] | None = Field(
        None,
        description="Topics of which the newest value of a key counts. Null: those that take the updates of a table.",
    )


class CorrectionOut(Schema):
    """The newest correction of a job."""

    title: str
    against: int | None = Field(description="Number of the version whose results it corrects.")
    first_batch: int
    topic: str
    status: Literal["preparing", "ready", "sending", "sent", "failed"]
    started_at: datetime
    sent_at: datetime | None
    sent_by: str | None
    preview: CorrectionPreview | None
    failure: RefusalOut | None
    no_state: str = Field(
        description="Why the right version cannot take over with the corrected state. Empty if it can, once the job "
        "has stopped."
    )
    is_taken: bool = Field(description="The right version has taken over with the corrected state.")

    @staticmethod
    def resolve_is_taken(correction: Correction) -> bool:
        return is_taken(correction)

    @staticmethod
    def resolve_no_state(correction: Correction) -> str:
        return explain_no_state(correction)

    @staticmethod
    def resolve_against(correction: Correction) -> int | None:
        return correction.against.number if correction.against else None

    @staticmethod
    def resolve_sent_by(correction: Correction) -> str | None:
        return correction.sent_by.get_username() if correction.sent_by else None
