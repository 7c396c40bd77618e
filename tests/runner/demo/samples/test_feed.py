"""The sample data: complete, in order, exactly once, also after kill -9."""

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

from runner.demo.samples.feed import BAD, SEQ, TAIL, Feed, count_records, create_topics, find_delivered
from runner.demo.samples.flights import (
    FLIGHTS,
    PARTITIONS,
    TABLE_TIME,
    TABLES,
    Row,
    get_record_time,
    make_flights,
    make_table_key,
    read_table,
)
from runner.demo.samples.pace import Pace, WantedPace
from runner.kafka import KafkaCluster
from tests.patience import PATIENCE_SECONDS

NEW_YORK = ZoneInfo("America/New_York")
STOPPED = b"{}"
"""Stands for a flight that an earlier feed wrote."""


@pytest.fixture
def servers(kafka_servers: str) -> Iterator[str]:
    """Kafka without the feed's topics, before and after."""
    forget_topics(kafka_servers)
    yield kafka_servers
    forget_topics(kafka_servers)


def forget_topics(servers: str) -> None:
    admin = AdminClient({"bootstrap.servers": servers})
    there = topics(servers) & {"flights", *TABLES}
    if there:
        for deleted in admin.delete_topics(sorted(there)).values():
            deleted.result()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while there & topics(servers):  # the broker deletes a moment later
            assert time.monotonic() < deadline
            time.sleep(0.01)


def read(servers: str, topic: str) -> list[Any]:
    """Every message of a topic, partition by partition."""
    consumer = Consumer({"bootstrap.servers": servers, "group.id": "test", "enable.partition.eof": False})
    messages: list[Any] = []
    for partition in range(PARTITIONS):
        place = TopicPartition(topic, partition, 0)
        end = consumer.get_watermark_offsets(place, timeout=10)[1]
        consumer.assign([place])
        wanted = len(messages) + end
        while len(messages) < wanted:
            messages += consumer.consume(min(10_000, wanted - len(messages)), timeout=5)
    consumer.close()
    return messages


def sequence(messages: list[Any]) -> list[int]:
    return [int(value) for message in messages for name, value in message.headers() or [] if name == SEQ]


def test_record_time_is_the_scheduled_departure_in_new_york():
    for row in islice(make_flights(), 0, None, 97):
        hour, minute = divmod(row["sched_dep_time"], 100)
        departure = datetime(row["year"], row["month"], row["day"], hour, minute, tzinfo=NEW_YORK)

        assert get_record_time(row) == departure.timestamp() * 1000


def test_flights_come_in_event_time_order_with_ties_in_file_order():
    rows = list(islice(make_flights(), 1000))

    assert [get_record_time(row) for row in rows] == sorted(get_record_time(row) for row in rows)
    assert [row["flight"] for row in rows[:3]] == [1545, 1714, 1141]


def test_missing_values_are_null_and_whole_numbers_stay_whole():
    cancelled = next(row for row in make_flights() if row["dep_time"] is None)

    assert cancelled["dep_delay"] is None
    assert type(cancelled["sched_dep_time"]) is int
    assert cancelled["time_hour"].endswith("Z")


@pytest.mark.parametrize(
    ("name", "rows"), [("airlines", 16), ("airports", 1_458), ("planes", 3_322), ("weather", 26_115)]
)
def test_every_table_row_has_its_own_key(name: str, rows: int):
    keys = [make_table_key(name, row) for row in read_table(name)]

    assert len(keys) == len(set(keys)) == rows


def test_a_later_round_is_the_same_year_again_one_year_on():
    first, later = next(make_flights()), next(make_flights(years=3))

    assert later == first | {"year": 2016, "time_hour": "2016-01-01T10:00:00Z"}


def gone(pace: Pace, now: float) -> int:
    """How many flights go until `now`."""
    before = pace.flight_count
    while pace.wait(now) <= 0:
        pace.flight_count += 1
    return pace.flight_count - before


def test_the_pace_is_kept_and_a_late_flight_is_made_up_for():
    pace = Pace(rate=500)

    assert [gone(pace, now) for now in (100.0, 100.099, 101.999)] == [1, 49, 950]


def test_another_rate_counts_from_its_moment_and_a_pause_is_not_made_up_for():
    pace = Pace(rate=10)
    at_first = gone(pace, 100.0) + gone(pace, 104.95)

    pace.change(rate=1_000, is_paused=False, now=105.0)
    faster = gone(pace, 105.0995)
    pace.change(rate=1_000, is_paused=True, now=106.0)
    paused = gone(pace, 1_000.0)
    pace.change(rate=1_000, is_paused=False, now=1_000.0)

    assert (at_first, faster, paused, gone(pace, 1_000.0095)) == (50, 100, 0, 10)


def test_a_feed_keeps_its_pace(servers: str):
    began = time.monotonic()

    written = Feed(servers, rate=500, limit=100).flights()

    assert written == 100
    assert time.monotonic() - began > 0.19


def test_a_paused_feed_writes_no_flight_but_the_broken_records_it_is_asked_for(servers: str):
    told: list[tuple[int, int]] = []
    wishes = iter(
        [WantedPace(0, is_paused=True, broken_count=10), None, WantedPace(0, is_paused=True), WantedPace(1_000)]
    )

    def control(written: int, broken: int) -> WantedPace | None:
        told.append((written, broken))
        return next(wishes, WantedPace(1_000))

    def progress(written: int, row: Row) -> None:
        assert len(told) >= 4

    Feed(servers, limit=300, progress=progress, control=control).flights()

    assert told[:4] == [(0, 0), (0, 10), (0, 10), (0, 0)]
    assert told[-1] == (300, 0)
    values = [message.value() for message in read(servers, "flights")]
    assert len(values) == 310
    assert sum(values.count(bad) for bad in BAD) == 10


def test_a_feed_finds_where_it_stopped_behind_any_number_of_broken_records(servers: str):
    Feed(servers, rate=0, limit=40).flights()
    broken = iter([WantedPace(0, broken_count=PARTITIONS * TAIL * 2)])
    Feed(servers, rate=0, limit=1, control=lambda *_: next(broken, None)).flights()

    Feed(servers, rate=0, limit=9).flights()

    assert sorted(sequence(read(servers, "flights"))) == list(range(50))


def test_all_tables_reach_kafka_once(servers: str):
    feed = Feed(servers)

    assert (feed.tables(), feed.tables()) == (30_911, 0)

    assert {name: count_records(servers, name) for name in TABLES} == {name: len(read_table(name)) for name in TABLES}


def test_a_feed_ends_with_the_year_and_a_loop_goes_on_into_the_next(servers: str):
    """The soak feeds all of it."""
    stopped_at(servers, FLIGHTS - 2_000)

    feed = Feed(servers, rate=0)

    assert (feed.flights(), feed.flights()) == (2_000, 0)
    messages = [message for message in read(servers, "flights") if message.value() != STOPPED]
    assert sorted(sequence(messages)) == list(range(FLIGHTS - 2_000, FLIGHTS))
    without_key = sum(row["tailnum"] is None for row in islice(make_flights(), FLIGHTS - 2_000, None))
    assert Counter(message.key() for message in messages)[None] == without_key > 0

    assert Feed(servers, rate=0, loop=True, limit=100).flights() == 100
    assert find_delivered(servers).first_missing >= FLIGHTS
    last = max(read(servers, "flights"), key=lambda message: sequence([message])[0])
    assert json.loads(last.value())["year"] == 2014


def stopped_at(servers: str, number: int) -> None:
    """A topic whose partitions end as those of a feed that wrote all flights below a number."""
    create_topics(servers)
    producer = Producer({"bootstrap.servers": servers})
    for partition in range(PARTITIONS):
        seq = str(number - 1 - partition).encode()
        producer.produce("flights", STOPPED, partition=partition, headers=[(SEQ, seq)])
    producer.flush()


def test_records_carry_key_time_and_json(servers: str):
    Feed(servers, rate=0, limit=50).flights()
    Feed(servers).tables()

    messages = {sequence([message])[0]: message for message in read(servers, "flights")}
    for seq, row in enumerate(islice(make_flights(), 50)):
        assert json.loads(messages[seq].value()) == row
        assert messages[seq].timestamp()[1] == get_record_time(row)
        assert messages[seq].key() == row["tailnum"].encode()
    airline = read(servers, "airlines")[0]
    assert airline.timestamp()[1] == TABLE_TIME
    assert airline.key().decode() == json.loads(airline.value())["carrier"]


def test_keyed_records_stand_where_kafka_streams_would_look(servers: str):
    Feed(servers).tables()

    # murmur2, as Kafka's own Java clients place them
    places = {message.key().decode(): message.partition() for message in read(servers, "airlines")}
    assert (places["AA"], places["UA"], places["DL"]) == (murmur2("AA"), murmur2("UA"), murmur2("DL"))


def murmur2(key: str) -> int:
    """Kafka's murmur2 of a key, as a partition number."""
    data, mask = key.encode(), 0xFFFFFFFF
    h = (0x9747B28C ^ len(data)) & mask
    whole = len(data) // 4 * 4
    for i in range(0, whole, 4):
        k = int.from_bytes(data[i : i + 4], "little") * 0x5BD1E995 & mask
        h = (h * 0x5BD1E995 & mask) ^ ((k ^ k >> 24) * 0x5BD1E995 & mask)
    if rest := data[whole:]:
        h = (h ^ int.from_bytes(rest, "little")) * 0x5BD1E995 & mask
    h = (h ^ h >> 13) * 0x5BD1E995 & mask
    return ((h ^ h >> 15) & 0x7FFFFFFF) % PARTITIONS


def test_malformed_records_stand_in_between(servers: str):
    Feed(servers, rate=0, limit=400, bad=100).flights()

    values = [message.value() for message in read(servers, "flights")]
    assert len(values) == 404
    assert all(values.count(bad) == 1 for bad in BAD)


def test_a_killed_feed_goes_on_without_loss_or_repetition(servers: str):
    code = "import sys; from runner.demo.samples.feed import Feed; Feed(sys.argv[1], rate=20_000).flights()"
    for _ in range(2):
        feeding = subprocess.Popen([sys.executable, "-c", code, servers])
        before = count_records(servers, "flights") if "flights" in topics(servers) else 0
        while "flights" not in topics(servers) or count_records(servers, "flights") < before + 5_000:
            time.sleep(0.05)
        feeding.kill()
        feeding.wait()

    there = find_delivered(servers)
    begun = max(there.beyond, default=there.first_missing) - there.first_missing  # many on a machine that stands still
    Feed(servers, rate=0, limit=begun + 5_000).flights()

    numbers = sorted(sequence(read(servers, "flights")))
    assert numbers == list(range(len(numbers)))


def test_a_feed_that_is_told_to_stop_leaves_no_holes(servers: str):
    manage = Path(__file__).parents[4] / "manage.py"
    feeding = subprocess.Popen([sys.executable, manage, "feed", "--servers", servers, "--rate", "20000"])
    while "flights" not in topics(servers) or count_records(servers, "flights") < 5_000:
        time.sleep(0.05)
    feeding.terminate()
    feeding.wait()

    numbers = sorted(sequence(read(servers, "flights")))
    assert len(numbers) >= 5_000
    assert numbers == list(range(len(numbers)))


def topics(servers: str) -> set[str]:
    return set(AdminClient({"bootstrap.servers": servers}).list_topics(timeout=10).topics)


def test_the_flights_of_a_feed_that_never_ends_do_not_fill_the_disk(servers: str):
    create_topics(servers)

    configs = KafkaCluster(servers).configs_of(["flights", *TABLES])

    limits = {name: (int(each["retention.bytes"]), int(each["segment.bytes"])) for name, each in configs.items()}
    assert limits.pop("flights") == (1 << 30, 1 << 27)
    assert {kept for kept, _ in limits.values()} == {-1}
