"""Topics over HTTP: what they are, the records in them, and what people change and write there."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Annotated, Literal

from django.http import HttpRequest
from ninja import Status
from pydantic import Field

from designer.projects.permissions import find_projects_seen
from designer.projects.requests import get_user
from designer.projects.roles import OPERATOR, VIEWER, Role
from designer.projects.routing import Router
from designer.streams.inference import infer_with_doubts
from designer.values.schemas import SchemaText, Side
from runner.control.clusters.internal_topics import is_hidden, may_see_hidden, refuse_hidden
from runner.control.clusters.models import Cluster
from runner.control.clusters.permissions import TOPICS
from runner.control.clusters.schemas import ExamplesOut
from runner.control.clusters.services import get_cluster
from runner.control.codes import ControlCode
from runner.control.jobs.models import Job
from runner.kafka import KafkaCluster, Message, TopicMissing
from runner.kafka.administering import list_settings
from runner.watch.codes import WatchCode
from runner.watch.topics.changing import change_topic, delete_topic, empty_topic
from runner.watch.topics.decoding import decode, find_side, read_side
from runner.watch.topics.facts import find_topic_facts
from runner.watch.topics.guard import guard
from runner.watch.topics.producing import produce
from runner.watch.topics.registry import RecordSchemas, find_written_side
from runner.watch.topics.schemas import (
    FoundRecordsOut,
    GuardIn,
    GuardOut,
    NewRecordsIn,
    PartitionOut,
    RecordMetadataOut,
    SearchIn,
    TopicChangeIn,
    TopicDetailsOut,
    TopicEndsOut,
    TopicFactsOut,
    TopicSettingOut,
    TopicsOut,
)
from runner.watch.topics.searching import RecordFilter, find_places, search_back, search_on
from runner.watch.topics.texts import decode_text
from runner.watch.topics.uses import Use, find_schema, find_topic_uses, guess_schema, refuse_change

router = Router(tags=["topics"])
MAX_EXAMPLES = 100
Count = Annotated[int, Field(ge=1, le=MAX_EXAMPLES)]


@router.get(
    "/clusters/{name}/topic-facts",
    needs=VIEWER.anywhere,
    response=TopicsOut,
    summary="Every topic of a cluster, and who uses it",
)
def list_facts(request: HttpRequest, name: str) -> TopicsOut:
    cluster, user = get_cluster(name), get_user(request)
    projects, is_all_seen = find_projects_seen(user), may_see_hidden(user)
    topics = [facts for facts in find_topic_facts(cluster.connect()) if is_all_seen or not is_hidden(facts.name)]
    uses: dict[str, list[Use]] = defaultdict(list)
    for use in find_topic_uses(cluster, projects, [facts.name for facts in topics]):
        uses[use.topic].append(use)
    jobs = _count_groups(cluster, projects)
    return TopicsOut(topics=[TopicFactsOut.of(facts, uses[facts.name], jobs) for facts in topics])


@router.get(
    "/clusters/{name}/topic-ends",
    needs=VIEWER.anywhere,
    response=TopicEndsOut,
    summary="End offsets of each topic, to compute its rate",
)
def list_ends(request: HttpRequest, name: str) -> TopicEndsOut:
    connection, is_all_seen = get_cluster(name).connect(), may_see_hidden(get_user(request))
    ends = connection.end_offsets([each for each in connection.topics() if is_all_seen or not is_hidden(each.name)])
    return TopicEndsOut(at=time.time_ns() // 1_000_000, ends={topic: sum(each) for topic, each in ends.items()})


@router.get(
    "/clusters/{name}/topics/{topic}/facts",
    needs=VIEWER.anywhere,
    response=TopicDetailsOut,
    summary="A topic with its settings",
)
def get_facts(request: HttpRequest, name: str, topic: str) -> TopicDetailsOut:
    refuse_hidden(get_user(request), topic)
    cluster = get_cluster(name)
    connection, projects = cluster.connect(), find_projects_seen(get_user(request))
    connection.topic(topic)
    (facts,) = find_topic_facts(connection, [topic])
    uses = find_topic_uses(cluster, projects, [topic], has_schemas=True)
    schema = guess_schema(connection, topic, uses)
    ends = [
        PartitionOut(number=number, start=start, end=end, **place._asdict())
        for number, (place, start, end) in enumerate(zip(facts.places, facts.starts, facts.ends, strict=True))
    ]
    return TopicDetailsOut(
        **TopicFactsOut.of(facts, uses, _count_groups(cluster, projects)).model_dump(),
        ends=ends,
        settings=[TopicSettingOut.of(each) for each in list_settings(connection, topic)],
        key=schema.key.to_json(),
        value=schema.value.to_json(),
    )


@router.get(
    "/clusters/{name}/topics/{topic}",
    needs=VIEWER.anywhere,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=ExamplesOut,
    summary="The newest records of a topic and the schema they show",
)
def read_examples(request: HttpRequest, name: str, topic: str, count: Count = 20) -> ExamplesOut:
    refuse_hidden(get_user(request), topic)
    cluster = get_cluster(name)
    connection = cluster.connect()
    messages = connection.sample(topic, MAX_EXAMPLES)
    schema = infer_with_doubts([(message.key, message.value) for message in messages])
    facts, configs = connection.topic(topic), connection.configs_of([topic], only_visible=True).get(topic, {})
    schemas = RecordSchemas(cluster.find_registry(), topic)
    shown = [decode(message, None, None, schemas) for message in messages[-count:]]
    return ExamplesOut.of(facts, configs, list(shown), schema, has_registry=cluster.registry_url != "")


@router.patch(
    "/clusters/{name}/topics/{topic}/settings",
    needs=TOPICS,
    audit="change a topic",
    refuses=[ControlCode.QUOTA_EXCEEDED, ControlCode.TOPIC_INTERNAL],
    response={204: None},
    summary="Change a topic",
)
def change_facts(request: HttpRequest, name: str, topic: str, body: TopicChangeIn) -> Status[None]:
    change_topic(
        cluster=get_cluster(name),
        topic=topic,
        changes=body.settings,
        partitions=body.partitions,
        by=get_user(request),
    )
    return Status(204, None)


@router.post(
    "/clusters/{name}/topics/{topic}/empty",
    needs=TOPICS,
    audit="empty a topic",
    refuses=[ControlCode.TOPIC_INTERNAL],
    response={204: None},
    summary="Delete all records of a topic",
)
def empty_of_records(request: HttpRequest, name: str, topic: str) -> Status[None]:
    empty_topic(cluster=get_cluster(name), topic=topic, by=get_user(request))
    return Status(204, None)


@router.delete(
    "/clusters/{name}/topics/{topic}",
    needs=TOPICS,
    audit="delete a topic",
    refuses=[ControlCode.TOPIC_INTERNAL],
    response={204: None},
    summary="Delete a topic that no job needs",
)
def delete_whole(request: HttpRequest, name: str, topic: str) -> Status[None]:
    delete_topic(cluster=get_cluster(name), topic=topic, by=get_user(request))
    return Status(204, None)


@router.post(
    "/clusters/{name}/topics/{topic}/search",
    needs=VIEWER.anywhere,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=FoundRecordsOut,
    summary="Find records of a topic",
)
def search_records(request: HttpRequest, name: str, topic: str, body: SearchIn) -> FoundRecordsOut:
    """Reads a bounded number of records. Where none is found yet, ask again with `next`."""
    refuse_hidden(get_user(request), topic)
    cluster = get_cluster(name)
    connection = cluster.connect()
    _check_partition(connection, topic, body.partition)
    schema = find_schema(cluster, connection, topic, find_projects_seen(get_user(request)))
    key, value = find_side(body.key_format, schema.key), find_side(body.value_format, schema.value)
    schemas, chosen_sides = RecordSchemas(cluster.find_registry(), topic), body.list_chosen_sides()
    fits = _filter(body.key, body.text, _make_read(key, value, schemas, chosen_sides))
    if body.begin == "newest":
        page = search_back(connection, topic, body.count, fits, body.partition, body.next)
    else:
        begin = body.next or find_places(connection, topic, body.begin, body.offset, body.time_ms)
        page = search_on(connection, topic, body.count, fits, body.partition, begin)
    records = [decode(each, key, value, schemas, chosen_sides) for each in page.records]
    return FoundRecordsOut(records=records, next=page.next, scanned=page.scan_count)


@router.post(
    "/clusters/{name}/topics/{topic}/records",
    needs=OPERATOR.anywhere,
    audit="send records",
    refuses=[
        ControlCode.TOPIC_INTERNAL,
        WatchCode.RECORD_NOT_BASE64,
        WatchCode.RECORD_NOT_ENCODED,
        WatchCode.RECORD_NOT_PRODUCED,
        ControlCode.CLUSTER_SECRET_LOST,
    ],
    is_session=True,
    response={201: list[RecordMetadataOut]},
    summary="Write records",
)
def produce_records(request: HttpRequest, name: str, topic: str, body: NewRecordsIn) -> Status[list[RecordMetadataOut]]:
    """In the order given; the answer says where each landed."""
    cluster = get_cluster(name)
    refuse_change(get_user(request), cluster, topic, Role.OPERATOR)
    connection = cluster.connect()
    key = value = None
    if body.key_format or body.value_format:
        schema = find_schema(cluster, connection, topic, find_projects_seen(get_user(request)))
        key = find_side(body.key_format, schema.key) if body.key_format else None
        value = find_side(body.value_format, schema.value) if body.value_format else None
    if body.key_schema is not None:
        key = find_written_side(cluster.connect_registry(), body.key_schema)
    if body.value_schema is not None:
        value = find_written_side(cluster.connect_registry(), body.value_schema)
    records = [each.to_record(key, value) for each in body.records]
    landed_records = produce(connection, topic, records)
    return Status(201, [RecordMetadataOut.of(each) for each in landed_records])


@router.post(
    "/clusters/{name}/topics/{topic}/guard",
    needs=VIEWER.anywhere,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=GuardOut,
    summary="What a new schema of a topic does to every drawing and job that reads it; registers nothing",
)
def guard_topic(request: HttpRequest, name: str, topic: str, body: GuardIn) -> GuardOut:
    user = get_user(request)
    refuse_hidden(user, topic)
    new = SchemaText(body.kind, body.text)
    return GuardOut.of(guard(get_cluster(name), find_projects_seen(user), topic, body.side, new, body.subject))


def _count_groups(cluster: Cluster, projects: Collection[int]) -> dict[str, int]:
    """The job of each consumer group in these projects."""
    jobs = Job.objects.filter(cluster=cluster, topology__project__in=projects)
    return dict(jobs.values_list("application_id", "id"))


def _check_partition(connection: KafkaCluster, topic: str, partition: int | None) -> None:
    partitions = connection.topic(topic).partitions
    if partition is not None and partition >= partitions:
        raise TopicMissing(f"`{topic}` has no partition {partition}.", f"Its partitions are 0 to {partitions - 1}.")


ReadSide = Callable[[Message, Literal["key", "value"]], str | None]
"""The key or value of a record as it is shown."""


def _filter(key: str, text: str, read: ReadSide) -> RecordFilter:
    """Whether a record has that key and that text in their shown form."""
    needle = text.lower()

    def fits(message: Message) -> bool:
        if key and read(message, "key") != key:
            return False
        headers = (part for name, content in message.headers for part in (name, decode_text(content)))
        parts = (read(message, "key"), read(message, "value"), *headers) if needle else ()
        return not needle or any(part is not None and needle in part.lower() for part in parts)

    return fits


def _make_read(key: Side | None, value: Side | None, schemas: RecordSchemas, chosen_sides: Collection[str]) -> ReadSide:
    def read(message: Message, name: Literal["key", "value"]) -> str | None:
        side, content = (key, message.key) if name == "key" else (value, message.value)
        shown = read_side(message, name, side, None if name in chosen_sides else schemas)
        return shown.get("text", decode_text(content))

    return read
