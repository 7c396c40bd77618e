"""Topics over HTTP: what they are, the records in them, and what people change and write there."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Annotated, cast

from django.http import HttpRequest
from ninja import Router, Status
from pydantic import Field

from designer.answers import SideOut
from designer.requests import get_user
from designer.rights.wall import find_projects_seen
from designer.streams.inference import learn
from designer.values.schemas import Side
from runner.control.clusters.answers import ExamplesOut
from runner.control.clusters.models import Cluster
from runner.control.clusters.services import cluster_named
from runner.control.jobs.models import Job
from runner.kafka import KafkaCluster, Message, TopicMissing
from runner.kafka.administering import settings
from runner.watch.topics.answers import (
    FoundOut,
    LandedOut,
    NewRecordsIn,
    PartitionOut,
    SearchIn,
    TopicChangeIn,
    TopicDetailsOut,
    TopicEndsOut,
    TopicFactsOut,
    TopicSettingOut,
    TopicsOut,
)
from runner.watch.topics.changing import change_topic, delete_topic, empty_topic
from runner.watch.topics.decoding import DecodedOut, decode, guess, read_text, side_in
from runner.watch.topics.facts import topic_facts
from runner.watch.topics.producing import produce
from runner.watch.topics.searching import Wanted, places_at, search_back, search_on
from runner.watch.topics.texts import text_of
from runner.watch.topics.uses import Use, find_schema, topic_uses

router = Router(tags=["topics"])
MAX_EXAMPLES = 100
Count = Annotated[int, Field(ge=1, le=MAX_EXAMPLES)]


@router.get("/clusters/{name}/topic-facts", response=TopicsOut, summary="Every topic of a cluster, and who uses it")
def list_facts(request: HttpRequest, name: str) -> TopicsOut:
    cluster = cluster_named(name)
    found = topic_facts(cluster.connect())
    projects = find_projects_seen(get_user(request))
    uses: dict[str, list[Use]] = defaultdict(list)
    for use in topic_uses(cluster, projects, [facts.name for facts in found]):
        uses[use.topic].append(use)
    jobs = _groups(cluster, projects)
    return TopicsOut(topics=[TopicFactsOut.of(facts, uses[facts.name], jobs) for facts in found])


@router.get("/clusters/{name}/topic-ends", response=TopicEndsOut, summary="How far each topic reaches, for its rate")
def list_ends(request: HttpRequest, name: str) -> TopicEndsOut:
    connection = cluster_named(name).connect()
    ends = connection.end_offsets(connection.topics())
    return TopicEndsOut(at=time.time_ns() // 1_000_000, ends={topic: sum(each) for topic, each in ends.items()})


@router.get("/clusters/{name}/topics/{topic}/facts", response=TopicDetailsOut, summary="A topic with its settings")
def get_facts(request: HttpRequest, name: str, topic: str) -> TopicDetailsOut:
    cluster = cluster_named(name)
    connection, projects = cluster.connect(), find_projects_seen(get_user(request))
    connection.topic(topic)
    (facts,) = topic_facts(connection, [topic])
    uses = topic_uses(cluster, projects, [topic], has_schemas=True)
    held = guess(connection.sample(topic), [use.schema for use in uses if use.schema])
    ends = [
        PartitionOut(number=number, start=start, end=end, **place._asdict())
        for number, (place, start, end) in enumerate(zip(facts.places, facts.starts, facts.ends, strict=True))
    ]
    return TopicDetailsOut(
        **TopicFactsOut.of(facts, uses, _groups(cluster, projects)).model_dump(),
        ends=ends,
        settings=[TopicSettingOut.of(each) for each in settings(connection, topic)],
        key=cast(SideOut, held.key.to_json()),
        value=cast(SideOut, held.value.to_json()),
    )


@router.get(
    "/clusters/{name}/topics/{topic}",
    response=ExamplesOut,
    summary="The newest records of a topic and the schema they show",
)
def read_examples(request: HttpRequest, name: str, topic: str, count: Count = 20) -> ExamplesOut:
    connection = cluster_named(name).connect()
    messages = connection.sample(topic, MAX_EXAMPLES)
    learned = learn([(message.key, message.value) for message in messages])
    return ExamplesOut.of(connection.topic(topic), connection.configs(topic), messages[-count:], learned)


@router.patch("/clusters/{name}/topics/{topic}/settings", response={204: None}, summary="Change a topic")
def change_facts(request: HttpRequest, name: str, topic: str, wanted: TopicChangeIn) -> Status[None]:
    change_topic(
        cluster=cluster_named(name),
        topic=topic,
        changes=wanted.settings,
        partitions=wanted.partitions,
        by=get_user(request),
    )
    return Status(204, None)


@router.post("/clusters/{name}/topics/{topic}/empty", response={204: None}, summary="Delete all records of a topic")
def empty_of_records(request: HttpRequest, name: str, topic: str) -> Status[None]:
    empty_topic(cluster=cluster_named(name), topic=topic, by=get_user(request))
    return Status(204, None)


@router.delete("/clusters/{name}/topics/{topic}", response={204: None}, summary="Delete a topic that no job needs")
def delete_whole(request: HttpRequest, name: str, topic: str) -> Status[None]:
    delete_topic(cluster=cluster_named(name), topic=topic, by=get_user(request))
    return Status(204, None)


@router.post("/clusters/{name}/topics/{topic}/search", response=FoundOut, summary="Find records of a topic")
def search_records(request: HttpRequest, name: str, topic: str, wanted: SearchIn) -> FoundOut:
    """Reads a bounded number of records. Where none is found yet, ask again with `next`."""
    cluster = cluster_named(name)
    connection = cluster.connect()
    _check_partition(connection, topic, wanted.partition)
    held = find_schema(cluster, connection, topic, find_projects_seen(get_user(request)))
    key, value = side_in(wanted.key_format, held.key), side_in(wanted.value_format, held.value)
    fits = _filter(wanted.key, wanted.text, key, value)
    if wanted.begin == "newest":
        page = search_back(connection, topic, wanted.count, fits, wanted.partition, wanted.next)
    else:
        begin = wanted.next or places_at(connection, topic, wanted.begin, wanted.offset, wanted.time_ms)
        page = search_on(connection, topic, wanted.count, fits, wanted.partition, begin)
    records = [DecodedOut(**decode(message, key, value)) for message in page.records]
    return FoundOut(records=records, next=page.next, scanned=page.scanned)


@router.post("/clusters/{name}/topics/{topic}/records", response={201: list[LandedOut]}, summary="Write records")
def produce_records(request: HttpRequest, name: str, topic: str, wanted: NewRecordsIn) -> Status[list[LandedOut]]:
    """In the order given; the answer says where each landed."""
    cluster = cluster_named(name)
    connection = cluster.connect()
    key = value = None
    if wanted.key_format or wanted.value_format:
        held = find_schema(cluster, connection, topic, find_projects_seen(get_user(request)))
        key = side_in(wanted.key_format, held.key) if wanted.key_format else None
        value = side_in(wanted.value_format, held.value) if wanted.value_format else None
    landed = produce(connection, topic, [each.to_record(key, value) for each in wanted.records])
    return Status(201, [LandedOut.of(each) for each in landed])


def _groups(cluster: Cluster, projects: Collection[int]) -> dict[str, int]:
    """The job of each consumer group that is one's."""
    jobs = Job.objects.filter(cluster=cluster, topology__project__in=projects)
    return dict(jobs.values_list("application_id", "id"))


def _check_partition(connection: KafkaCluster, topic: str, partition: int | None) -> None:
    partitions = connection.topic(topic).partitions
    if partition is not None and partition >= partitions:
        raise TopicMissing(f"`{topic}` has no partition {partition}.", f"Its partitions are 0 to {partitions - 1}.")


def _filter(key: str, text: str, key_side: Side | None, value_side: Side | None) -> Wanted:
    """Whether a record has that key and that text, as they are shown."""
    read_key, read_value, wanted = _shows(key_side), _shows(value_side), text.lower()

    def fits(message: Message) -> bool:
        if key and read_key(message.key) != key:
            return False
        headers = (part for name, content in message.headers for part in (name, text_of(content)))
        parts = (read_key(message.key), read_value(message.value), *headers) if wanted else ()
        return not wanted or any(part is not None and wanted in part.lower() for part in parts)

    return fits


def _shows(side: Side | None) -> Callable[[bytes | None], str | None]:
    read = read_text(side)
    return lambda content: read(content).get("text", text_of(content))
