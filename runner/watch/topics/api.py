"""The records of topics over HTTP."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Router, Schema, Status
from pydantic import Field

from runner.control.clusters.services import cluster_named
from runner.watch.topics.producing import Landed, NewRecord, produce
from runner.watch.topics.texts import bytes_of

router = Router(tags=["topics"])
MAX_RECORDS = 10_000
Text = Annotated[str | None, Field(description="Null is Kafka's own; `base64:` begins bytes that are no text.")]


class NewHeaderIn(Schema):
    key: str
    value: Text = None


class NewRecordIn(Schema):
    """A record to write. Without a partition the key decides, without a time (ms since 1970) it is now."""

    key: Text = None
    value: Text = None
    headers: Annotated[list[NewHeaderIn], Field(max_length=100)] = []
    partition: Annotated[int | None, Field(ge=0)] = None
    timestamp: Annotated[int | None, Field(ge=1)] = None

    def record(self) -> NewRecord:
        return NewRecord(
            bytes_of(self.key, "key"),
            bytes_of(self.value, "value"),
            tuple((each.key, bytes_of(each.value, f"header {each.key}")) for each in self.headers),
            self.partition,
            self.timestamp,
        )


class NewRecordsIn(Schema):
    records: Annotated[list[NewRecordIn], Field(min_length=1, max_length=MAX_RECORDS)]


class LandedOut(Schema):
    """Where a record is; `timestamp` in ms since 1970."""

    partition: int
    offset: int
    timestamp: int

    @classmethod
    def of(cls, landed: Landed) -> LandedOut:
        return cls(**landed._asdict())


@router.post(
    "/clusters/{name}/topics/{topic}/records", response={201: list[LandedOut]}, summary="Write records to a topic"
)
def produce_records(request: HttpRequest, name: str, topic: str, wanted: NewRecordsIn) -> Status[list[LandedOut]]:
    """In the order given; the answer says where each landed. Keys and values are written as the bytes that they are."""
    connection = cluster_named(name).connect()
    landed = produce(connection, topic, [each.record() for each in wanted.records])
    return Status(201, [LandedOut.of(each) for each in landed])
