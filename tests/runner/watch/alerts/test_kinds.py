"""Each kind of trouble, made on purpose, is told in time, once, and with its end. A healthy hour is silent."""

from collections.abc import Callable
from typing import Any

import pytest

from runner.spark.events import WaitingRecords
from runner.watch.alerts.evaluation import CALM, Limit
from runner.watch.alerts.kinds import KINDS, AlertKind
from runner.watch.alerts.services import get_usual_limit
from tests.runner.watch.alerts.simulated import GIB, LOOK_SECONDS, Product

HOUR = 3_600
IN_TIME = 15 - LOOK_SECONDS
"""The seconds that are left for the delivery, which begins at the look that fires."""
Act = Callable[[Product], None]


def sets(**values: Any) -> Act:
    return lambda product: vars(product).update(values)


def host(**values: Any) -> Act:
    return lambda product: product.host.update(values)


def topic(change: Any) -> Act:
    return lambda product: setattr(product.numbers.positions["flights"], "change", change)


def falls_behind(product: Product) -> None:
    """Records for ten minutes of work lie there."""
    product.end += 600 * product.reading


def catches_up(product: Product) -> None:
    product.offset = product.end


def loses_executors(product: Product) -> None:
    for number in range(3):
        product.numbers.note_lost(f"10.0.0.2:{number}", product.now)


def begins_again(product: Product) -> None:
    """A new run has its own executors."""
    product.numbers.lost_executors.clear()


def awaits_schema(product: Product) -> None:
    place: WaitingRecords = {
        "topic": "flights",
        "partition": 0,
        "offset": 5,
        "id": 7,
        "why": "It is away.",
        "since": product.now,
    }
    product.numbers.note_schemas([place])


def has_schemas(product: Product) -> None:
    product.numbers.note_schemas([])


HIT = {"node": "late", "condition": "delay < 0", "batch": 12}
BREAKING = {"subject": "flights-value", "version": 2, "topic": "flights", "places": 3, "message": "It loses a field."}
TROUBLES: dict[str, tuple[Act, Act, str, float]] = {
    # kind: what happens, what heals it, the part that is named, the seconds until the figure itself is above the limit
    "failed": (sets(status="failed"), sets(status="running"), "", 0),
    "restarting": (sets(failures=3), sets(failures=0), "", 0),
    "executors_lost": (loses_executors, begins_again, "", 0),
    "no_commit": (sets(commits=False), sets(commits=True, reading=10**6), "", 180),
    "lag": (falls_behind, catches_up, "flights", 0),
    "held_up": (sets(open_transaction=50, arriving=0), sets(open_transaction=0), "flights", 300),
    "schema_awaited": (awaits_schema, has_schemas, "flights", 30),
    "schema_breaks": (sets(breaking_schemas=[BREAKING]), sets(breaking_schemas=[]), "flights", 0),
    "breakpoint": (sets(hits=[HIT]), sets(hits=[]), "late", 0),
    "latency": (sets(latency_ms=61_000), sets(latency_ms=900), "", 1),
    "dead_letters": (sets(dead_letters=11), sets(dead_letters=0), "late", 1),
    "drops": (sets(dropped=100), sets(dropped=0), "late", 10),
    "state_growth": (sets(state_bytes=12 * GIB), sets(state_bytes=GIB), "", 1),
    "job_memory": (sets(memory=9 * GIB), sets(memory=GIB), "", 1),
    "topic_gone": (topic("gone"), topic(None), "flights", 0),
    "topic_changed": (topic("partitions"), topic(None), "flights", 0),
    "certificate": (sets(certificate_days=13), sets(certificate_days=365), "", 0),
    "host_gone": (host(up=False), host(up=True), "", 0),
    "host_outdated": (host(outdated=True), host(outdated=False), "", 0),
    "disk": (host(disk_free_bytes=9 * GIB), host(disk_free_bytes=50 * GIB), "", 0),
    "memory": (host(memory_free_bytes=GIB // 4), host(memory_free_bytes=GIB), "", 0),
}


def all_on(kind: str, _: Any) -> Limit:
    return get_usual_limit(kind)._replace(is_on=True)


def test_every_kind_is_tried() -> None:
    assert TROUBLES.keys() == KINDS.keys() == set(AlertKind) - {AlertKind.UNKNOWN}


def test_a_kind_of_another_version_is_unknown() -> None:
    assert AlertKind("of_later") is AlertKind.UNKNOWN
    assert not get_usual_limit("of_later").is_on


def test_a_state_that_is_kept_over_a_new_run_has_not_grown() -> None:
    product = Product(all_on)
    product.state_bytes = 12 * GIB
    product.begin_run()
    product.commits = False
    product.passes(4)

    product.commits = True
    product.passes(600)

    assert product.told == []


@pytest.mark.parametrize("kind", TROUBLES)
def test_a_trouble_is_told_in_time_once_and_with_its_end(kind: str) -> None:
    begins, heals, part, seconds = TROUBLES[kind]
    product = Product(all_on)
    product.passes(120)
    assert product.told == []

    began = product.now / 1_000
    begins(product)
    due = seconds + get_usual_limit(kind).seconds
    product.passes(round(due) + IN_TIME)

    assert due <= product.told_at[("fired", kind, part)] - began <= due + IN_TIME

    product.passes(300)
    heals(product)
    product.passes(70 + round(CALM.total_seconds()) + IN_TIME)

    mine = [told for told in product.told if told[1] == kind]
    assert mine == [("fired", kind, part), ("ended", kind, part)]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (AlertKind.RESTARTING, "Runs of sums failed in the last ten minutes, or in a row: 1."),
        (AlertKind.SCHEMA_BREAKS, "The newest schema of `orders` breaks sums, number of places: 1."),
        (AlertKind.BREAKPOINT, "Breakpoints at `orders` of sums found a record: 1."),
    ],
)
def test_a_sentence_fits_one_and_many(kind: AlertKind, text: str) -> None:
    assert KINDS[kind].says.format(where="sums", part="orders", value=1) == text


def test_a_healthy_hour_is_silent() -> None:
    """Also with a restart, a job that idles, a slow batch, and a lag that is read away."""
    product = Product(all_on)
    product.passes(600)
    product.latency_ms = 70_000
    product.passes(10)
    product.latency_ms = 800
    product.end += 100_000
    product.passes(200)
    product.asked_at, product.status = product.now, "starting"
    product.passes(40)
    product.status = "running"
    product.begin_run()
    product.passes(600)
    product.arriving = 0
    product.passes(HOUR)
    product.arriving = 1_000
    product.passes(600)

    assert product.told == []
    assert product.alerts == []


def test_a_job_that_says_nothing_keeps_its_alerts_and_is_told_itself() -> None:
    product = Product()
    product.passes(60)
    product.dead_letters = 20
    product.passes(60)
    product.reports = False
    product.passes(200)

    assert product.told == [("fired", "dead_letters", "late"), ("fired", "no_commit", "")]


def test_a_job_that_never_starts_commits_nothing() -> None:
    product = Product()
    product.status = "starting"

    product.passes(180)
    assert product.told == []

    product.passes(IN_TIME)
    assert product.told == [("fired", "no_commit", "")]


def test_a_start_after_the_product_was_down_is_no_trouble() -> None:
    product = Product(all_on)
    product.passes(120)
    product.is_down(HOUR)
    product.passes(60)
    product.begin_run()
    product.reading, product.latency_ms = 100_000, 61_000
    product.passes(30)
    product.latency_ms = 800
    product.passes(HOUR)

    assert product.told == []


@pytest.mark.parametrize(("kind", "acts"), [("no_commit", sets(commits=False)), ("lag", sets(reading=1_000))])
def test_what_is_wrong_after_a_start_is_told_when_the_rule_has_run_since(kind: str, acts: Act) -> None:
    product = Product()
    product.passes(120)
    product.is_down(HOUR)
    product.begin_run()
    acts(product)
    due = round(get_usual_limit(kind).threshold) + get_usual_limit(kind).seconds

    product.passes(due - LOOK_SECONDS)
    assert kind not in {told[1] for told in product.told}

    product.passes(IN_TIME)
    assert kind in {told[1] for told in product.told}


def test_old_numbers_of_an_earlier_run_say_nothing_of_a_job_that_starts() -> None:
    product = Product()
    product.passes(60)
    product.desired, product.status = "stopped", "stopped"
    product.passes(HOUR)
    product.desired, product.status, product.asked_at = "running", "starting", product.now
    product.passes(60)

    assert product.told == []


def test_a_stopped_job_ends_its_alerts() -> None:
    product = Product()
    product.passes(60)
    product.dead_letters = 20
    product.passes(30)
    product.desired, product.status = "stopped", "stopped"
    product.passes(10)

    assert product.told == [("fired", "dead_letters", "late"), ("ended", "dead_letters", "late")]


def test_a_figure_that_swings_is_told_once() -> None:
    product = Product()
    product.passes(60)
    for _ in range(20):
        product.host["disk_free_bytes"] = 5 * GIB
        product.passes(70)
        product.host["disk_free_bytes"] = 50 * GIB
        product.passes(20)

    assert product.told == [("fired", "disk", "")]


def test_a_rule_that_is_off_tells_nothing_and_ends_what_fires() -> None:
    on = True
    product = Product(lambda kind, _: get_usual_limit(kind)._replace(is_on=on and kind == "disk"))
    product.host["disk_free_bytes"] = GIB
    product.passes(80)
    on = False
    product.passes(10)

    assert product.told == [("fired", "disk", ""), ("ended", "disk", "")]


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_names_the_place_and_the_value(kind: AlertKind) -> None:
    sentence = KINDS[kind].sentence("flights", "late", 90)

    assert "flights" in sentence and sentence.endswith(".")
    assert ("90" in sentence or "1 min 30 s" in sentence) == ("{value}" in KINDS[kind].says)


def test_a_deleted_topic_is_told_by_name() -> None:
    sentence = KINDS[AlertKind.TOPIC_GONE].sentence("Flights", "orders", 1)

    assert sentence == "The topic `orders`, which Flights reads, was deleted."


def test_an_open_transaction_is_told_with_its_producer() -> None:
    product = Product()
    product.open_transaction, product.arriving = 50, 0
    product.passes(10)
    product.numbers.positions["flights"].held_by = {
        "partition": 0,
        "producer_id": 4,
        "transactional_id": "orders-1",
        "since": 0,
        "timeout_ms": 60_000,
    }
    product.passes(310)

    (alert,) = product.alerts
    assert alert.sentence().endswith(
        "Flights reads them when it ends. The transaction is of producer orders-1 since 1970-01-01 00:00:00 UTC."
    )


@pytest.mark.parametrize("hours", [1, -1])
def test_a_trouble_is_told_and_ends_in_time_after_the_clock_was_set(hours: int) -> None:
    begins, heals, part, seconds = TROUBLES["lag"]
    product = Product(all_on)
    product.passes(120)
    begins(product)
    product.passes(20)

    product.sets_clock(hours)
    set_at = product.now / 1_000
    due = seconds + get_usual_limit("lag").seconds
    product.passes(600)
    assert product.told_at[("fired", "lag", part)] - set_at <= due + get_usual_limit("lag").threshold + IN_TIME

    heals(product)
    product.passes(70)
    product.sets_clock(-hours)
    product.passes(round(CALM.total_seconds()) + IN_TIME)
    assert ("ended", "lag", part) in product.told
