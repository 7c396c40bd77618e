"""Which epoch comes next, for what was chosen and what the old one left: no Kafka and no checkpoint is asked."""

from dataclasses import replace
from typing import Any

import pytest

from designer.topology.graph import Graph
from designer.values.schemas import DOUBLE, INTEGER, STRING, Type, struct
from runner.control.jobs.plans.next_epoch import (
    Change,
    NextEpoch,
    TopicRecreated,
    UncleanEpoch,
    Way,
    choose_way,
    decide_epoch,
    take_rebuilt,
)
from runner.control.jobs.plans.rebuild import Rebuild
from runner.control.jobs.plans.recovery import CannotRepair, DamageReport
from runner.control.jobs.plans.remains import Loss, MarkerLost, NothingWritten, Remains, Written
from runner.control.jobs.statuses import OnState
from runner.plan import Adopted, AdoptedStore, Corrected, Plan, Seed, TopicFacts
from tests.runner.control.jobs.test_rebuild import SUM, kept, program
from tests.runner.graph_builder import GraphBuilder

CHOICES = ("keep", "fresh_from_now", "fresh_from_earliest", "skip_lost", "repair", "rebuild")
FIRST, ENDS = [-2, -2], {"orders": [30, 12]}
LEFT = Remains(Written(4), has_state=True, ends=ENDS)
REBUILD = Rebuild({"kept": ["orders"]}, {"orders": [0, 0]}, {"orders": [30, 12]})


def plan(drawn: Graph | None = None, **changed: Any) -> Plan:
    """A plan that reads `orders` alone; another `drawn` has another shape."""
    made = program(drawn or kept()).plan
    orders = TopicFacts(id=changed.pop("topic", "orders"), partitions=2, start=FIRST)
    return made.model_copy(update={"checkpoint": "/epoch-1", "topics": {"orders": orders}} | changed)


def change(on_state: str = "keep", *, new: Plan | None = None, old: Plan | None = None, **more: Any) -> Change:
    return Change("job", OnState(on_state), new or plan(), old or plan(), **more)


def report(rebuild: Rebuild | None = None, why_not: str = "") -> DamageReport:
    """The store of a checkpoint is damaged."""
    return DamageReport((), 4, None, {"kept": "It is damaged."}, None, rebuild, why_not)


def damaged(on_state: str, *, new: Plan | None = None, **report_of: Any) -> Change:
    return change(on_state, new=new, damage=report(**report_of))


OTHER = plan(kept(hourly=True))
"""Its store has another kind."""
RENAMED = plan(
    Graph(
        tuple(replace(node, id="orders2" if node.id == "orders" else node.id) for node in kept().nodes),
        tuple(replace(edge, source="orders2" if edge.source == "orders" else edge.source) for edge in kept().edges),
    )
)
"""Its store is the same."""


def ways(**more: Any) -> dict[str, str]:
    return {on_state: choose_way(change(on_state, **more)).value for on_state in CHOICES}


def test_a_job_that_never_ran_begins_from_the_start():
    for on_state in CHOICES:
        assert choose_way(Change("job", OnState(on_state), plan(), None)) is Way.FROM_START


def test_the_same_version_goes_on_in_its_epoch_unless_the_user_chose_to_leave_something():
    same, start, behind = (way.value for way in Way)

    assert ways() == dict.fromkeys(CHOICES, same) | {"fresh_from_earliest": start, "skip_lost": behind}


def test_a_damaged_epoch_goes_on_only_as_it_is():
    start, behind = Way.FROM_START.value, Way.BEHIND_LAST.value
    of_damaged = ways(damage=report())

    assert of_damaged == ways() | {"fresh_from_now": behind, "rebuild": behind}
    assert of_damaged["fresh_from_earliest"] == start


def test_another_version_begins_an_epoch_behind_the_last_batch_or_from_the_start():
    assert ways(new=OTHER) == dict.fromkeys(CHOICES, "behind_last") | {"fresh_from_earliest": "from_start"}


@pytest.mark.parametrize("on_state", [each for each in CHOICES if each not in ("skip_lost", "fresh_from_earliest")])
def test_offsets_are_not_read_in_another_topic_of_the_same_name(on_state: str):
    with pytest.raises(TopicRecreated, match="`orders` was deleted and created again") as refused:
        choose_way(change(on_state, new=plan(topic="another")))

    assert refused.value.hint.startswith("Deploy the job again: the dialog offers to keep its state")


def stores(epoch: NextEpoch) -> list[str]:
    return epoch.seed.stores if epoch.seed else []


@pytest.mark.parametrize(
    ("case", "remains", "starts", "kept_stores", "back_to"),
    [
        (change(new=RENAMED), LEFT, [30, 12], ["kept"], 4),
        (change("fresh_from_now", new=OTHER), LEFT, [30, 12], [], 4),
        (change("fresh_from_now", new=OTHER), replace(LEFT, has_state=False), [30, 12], [], 4),
        (damaged("fresh_from_now"), LEFT, [30, 12], [], 4),
        (change("skip_lost"), replace(LEFT, losses=(Loss("orders", 0, "deleted", 30, 50, 50),)), [50, 12], ["kept"], 4),
        (change("skip_lost", new=plan(topic="another")), replace(LEFT, ends={}), FIRST, ["kept"], 4),
        (change(new=RENAMED), Remains(NothingWritten(), ends={"orders": [5, 6]}), [5, 6], [], None),
        (change("fresh_from_now"), replace(LEFT, is_rebuilding=True), [30, 12], [], 4),
    ],
)
def test_a_new_epoch_reads_on_with_the_stores_that_are_kept(
    case: Change, remains: Remains, starts: list[int], kept_stores: list[str], back_to: int | None
):
    epoch = decide_epoch(case, remains)

    assert (epoch.topics["orders"].start, stores(epoch), epoch.back_to) == (starts, kept_stores, back_to)
    assert (epoch.silent_until, epoch.seed and epoch.seed.plan["seed"]) == ({}, None)


def test_an_epoch_without_a_batch_hands_on_the_state_that_it_began_with():
    seed = Seed(checkpoint="/epoch-0", plan={}, stores=["kept", "gone"])

    epoch = decide_epoch(change(new=RENAMED, old=plan(seed=seed)), Remains(NothingWritten(), ends=ENDS))

    assert epoch.seed == seed.model_copy(update={"stores": ["kept"]})


def test_an_epoch_without_a_batch_hands_on_the_application_that_it_was_to_continue():
    kept, gone = (AdoptedStore(store=name, topic=f"app-{name}-changelog", until=[3]) for name in ("kept", "gone"))
    adopted = Adopted(application="app", stores=[kept, gone])

    epoch = decide_epoch(change(new=RENAMED, old=plan(adopted=adopted)), Remains(NothingWritten(), ends=ENDS))

    assert epoch.adopted == Adopted(application="app", stores=[kept])


def latest(**fields: Type) -> Plan:
    """The latest order of each key, in the store `kept`."""
    builder = GraphBuilder().stream("orders", struct(**fields)).add("grouped", "group_by_key", stream="orders")
    builder.add("kept", "reduce", {"add": "value"}, grouped="grouped")
    return plan(builder.updates_to("sums", "kept").graph)


def test_values_that_no_batch_has_converted_yet_are_those_of_the_version_before():
    first, between, now = latest(amount=INTEGER), latest(note=STRING), latest(amount=STRING)
    seed = Seed(checkpoint="/epoch-0", plan=first.to_stored(), stores=["kept"])
    adopted = Adopted(application="app", stores=[AdoptedStore(store="kept", topic="app-kept-changelog", until=[3])])
    nothing = Remains(NothingWritten(), ends=ENDS)

    for begun in ({"seed": seed}, {"adopted": adopted}):
        old = between.model_copy(update=begun)
        with pytest.raises(UncleanEpoch, match="`kept` still has the values of an earlier version"):
            decide_epoch(change(new=now, old=old), nothing)
        fresh = decide_epoch(change("fresh_from_now", new=now, old=old), nothing)
        assert (stores(fresh), fresh.adopted and fresh.adopted.stores) == ([], [] if "adopted" in begun else None)
    wider = decide_epoch(change(new=latest(amount=DOUBLE), old=between.model_copy(update={"seed": seed})), nothing)
    assert stores(wider) == ["kept"]


def test_damaged_state_is_read_again_and_nothing_is_written_meanwhile():
    epoch = decide_epoch(damaged("rebuild", rebuild=REBUILD), LEFT)

    assert (epoch.topics["orders"].start, epoch.silent_until, epoch.seed, epoch.back_to) == ([0, 0], ENDS, None, None)


def test_a_rebuild_that_lost_records_begins_again_and_stays_silent_at_least_as_long():
    old = plan(silent_until={"orders": [30, 12]})
    losses = (Loss("orders", 0, "deleted", 0, 25, 25), Loss("orders", 1, "deleted", 0, 20, 20))

    epoch = decide_epoch(change("skip_lost", old=old), replace(LEFT, is_rebuilding=True, losses=losses))

    assert epoch.topics["orders"].start == [25, 20]
    assert (epoch.silent_until, epoch.seed) == ({"orders": [30, 20]}, None)


@pytest.mark.parametrize(
    ("case", "remains", "error", "why"),
    [
        (change(), Remains(MarkerLost()), UncleanEpoch, "it is unknown which results"),
        (change(new=OTHER), replace(LEFT, is_in_part=True), UncleanEpoch, "Only part of the last batch"),
        (change(new=RENAMED), replace(LEFT, is_rebuilding=True), UncleanEpoch, "still being rebuilt"),
        (damaged("keep", new=RENAMED), LEFT, UncleanEpoch, "is damaged"),
        (change(new=RENAMED), replace(LEFT, has_state=False), UncleanEpoch, "not in its checkpoint"),
        (damaged("rebuild", why_not="It is gone."), LEFT, CannotRepair, "It is gone."),
    ],
)
def test_what_cannot_go_on_cleanly_is_refused(case: Change, remains: Remains, error: type[Exception], why: str):
    with pytest.raises(error, match=why):
        decide_epoch(case, remains)


def test_another_kind_of_sum_does_not_keep_its_store():
    summed = plan(kept("aggregate", **SUM))

    assert stores(decide_epoch(change(new=summed), LEFT)) == []


def rebuild_with(batch: int = 3, **behind: list[int]) -> NextEpoch:
    """The epoch with state that a proof has rebuilt up to these offsets of batch 3."""
    old, orders = plan(), TopicFacts(id="orders", partitions=2, start=FIRST)
    more = {"names": TopicFacts(id="names", partitions=1, start=[-2])}
    new = plan(topics={"orders": orders} | {name: each for name, each in more.items() if name in behind})
    seed = Seed(checkpoint="", plan=new.to_stored(), stores=["kept"], rows="proved/1", digest="d")
    rebuilt = Corrected(epoch=old.epoch, batch=batch, seed=seed, behind=behind)
    firsts = {"orders": [10, 0], "names": [0]}
    return take_rebuilt(rebuilt, old, new, NextEpoch(new.topics, back_to=4), LEFT, firsts)


def test_rebuilt_state_goes_on_where_the_proof_ended_and_writes_nothing_that_the_old_version_has_written():
    epoch = rebuild_with(orders=[20, 12], names=[7])

    assert {name: facts.start for name, facts in epoch.topics.items()} == {"orders": [20, 12], "names": [7]}
    assert epoch.silent_until == {"orders": [30, 12], "names": [7]}
    assert epoch.seed and (epoch.seed.checkpoint, epoch.seed.rows) == ("/epoch-1", "proved/1")
    assert epoch.back_to == 4


def test_rebuilt_state_behind_the_last_batch_writes_at_once():
    epoch = rebuild_with(4, orders=[30, 12])

    assert (epoch.topics["orders"].start, epoch.silent_until) == ([30, 12], {})


def test_records_of_a_new_partition_that_the_old_version_has_read_are_silent():
    epoch = rebuild_with(orders=[30])

    assert (epoch.topics["orders"].start, epoch.silent_until) == ([30, -2], {"orders": [30, 12]})


def test_rebuilt_state_is_refused_if_it_is_of_another_batch_or_records_since_are_gone():
    with pytest.raises(UncleanEpoch, match="begun with other state"):
        rebuild_with(5, orders=[30, 12])
    with pytest.raises(UncleanEpoch, match="deleted records of `orders`"):
        rebuild_with(orders=[9, 12])
