"""Following a record through a trial, and back from an output to the inputs that made it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from designer.topology.graph import Graph
from designer.values.schemas import INTEGER, struct
from runner.engine.driver import _encode
from runner.engine.following.follow import Follower, FollowingTrial, Output, TrialFollower
from runner.engine.records.headers import write_headers
from runner.engine.records.record import Origin, Row
from runner.engine.trial import MadeUpRecord
from tests.conformance.kept import graphs
from tests.conformance.product.cases import Case
from tests.patience import PATIENCE_SECONDS
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)


def follower(builder: GraphBuilder, *records: MadeUpRecord) -> Follower:
    return TrialFollower(
        lambda origin, like: FollowingTrial(builder.graph, origin=origin, like=like),
        lambda trial: list(trial.order_given(records)),
    )


def order(key: str | None, amount: int, time: int = 0, topic: str = "orders") -> MadeUpRecord:
    return MadeUpRecord(topic, key, {"amount": amount}, time)


def at(offset: int, topic: str = "orders") -> Origin:
    return Origin(topic, 0, offset)


def summed() -> GraphBuilder:
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("big", "filter", {"predicate": "amount > 0"}, records="orders")
    builder.add("by", "select_key", {"key": "upper(key)"}, stream="big").add("grouped", "group_by_key", stream="by")
    functions = [{"name": name, "function": name, "expression": "amount"} for name in ("sum", "max")]
    return builder.add("sums", "aggregate", {"functions": functions}, grouped="grouped").updates_to("out", "sums")


def test_a_record_is_followed_node_by_node_also_through_a_shuffle() -> None:
    steps = follower(summed(), order("a", 3, 1), order("a", 2, 2)).follow(at(1))

    assert [step.node for step in steps] == ["orders", "big", "by", "grouped", "sums", "sums-updates", "out"]
    assert [step.from_step for step in steps] == [None, 0, 1, 2, 3, 4, 5]
    by = steps[2]
    assert by.record == {"key": '"a"', "window": None, "value": '{"amount":2}', "timestamp": 2}
    assert by.outputs == [{"port": "result", **by.record, "key": '"A"'}]


def test_a_store_is_shown_before_and_after_with_the_input_that_wrote_it() -> None:
    steps = follower(summed(), order("a", 3, 1), order("b", 9, 1), order("a", 2, 2)).follow(at(2))

    (sums,) = [step for step in steps if step.node == "sums"]
    assert sums.rows == [
        {
            "store": "sums",
            "key": '"A"',
            "window": None,
            "before": {"value": '{"sum":3,"max":3}', "timestamp": 1},
            "after": {"value": '{"sum":5,"max":3}', "timestamp": 2},
        }
    ]
    assert sums.met == [at(0)]


def test_the_way_ends_where_a_record_is_left_out_and_says_why() -> None:
    steps = follower(summed(), order("a", 0)).follow(at(0))

    assert [(step.node, step.no_result) for step in steps] == [("orders", []), ("big", ["predicate"])]


def test_a_late_record_is_dropped_at_its_window() -> None:
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    window = {"type": "tumbling", "size_ms": 10, "grace_ms": 0}
    builder.add("windows", "windowed_by", window, grouped="grouped").add("counts", "count", grouped="windows")

    steps = follower(builder, order("a", 1, 100), order("a", 1, 3)).follow(at(1))

    assert (steps[-1].node, steps[-1].dropped) == ("counts", ["late"])


def test_a_null_key_is_dropped_in_front_of_a_shuffle() -> None:
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("by", "select_key", {"key": "cast(null as string)"}, stream="orders")
    builder.add("grouped", "group_by_key", stream="by").add("counts", "count", grouped="grouped")

    steps = follower(builder, order("a", 1)).follow(at(0))

    assert steps[-1].dropped == ["null key before repartition"]


def test_a_record_that_fails_says_so_where_it_does() -> None:
    builder = GraphBuilder().stream("orders", ORDER)
    builder.add("parts", "map_values", {"value": "100 / amount"}, records="orders").to("out", "parts")

    steps = follower(builder, order("a", 0)).follow(at(0))

    assert steps[-1].node == "parts"
    assert "zero" in (steps[-1].error or "").lower()


def test_a_record_that_cannot_be_decoded_has_its_failure_as_only_step() -> None:
    builder = GraphBuilder().stream("orders", ORDER)

    steps = follower(builder, MadeUpRecord("orders", "a", {"amount": "much"}, 0)).follow(at(0))

    assert [step.node for step in steps] == ["orders"]
    assert "cannot be decoded" in (steps[0].error or "")


def test_a_partner_is_met() -> None:
    builder = GraphBuilder().stream("orders", ORDER).stream("payments", ORDER)
    config = {"before_ms": 10, "after_ms": 10, "value": "left.amount + right.amount"}
    builder.add("pairs", "join", config, left="orders", right="payments")
    records = [order("a", 1, 1), order("b", 2, 2), order("a", 3, 3, "payments")]

    steps = follower(builder, *records).follow(at(2, "payments"))

    assert steps[-1].outputs[0]["value"] == "4"
    assert steps[-1].met == [at(0)]


def test_an_output_names_the_inputs_that_made_it_and_no_others() -> None:
    found = follower(summed(), order("a", 3, 1), order("b", 9, 1), order("a", 0, 2), order("a", 2, 3), order("a", 1, 4))
    (output,) = [each for each in found.outputs(at(4)) if each.node == "sums"]

    assert found.inputs_of(at(4), output).inputs == [at(4), at(0), at(3)]


def test_an_input_that_makes_no_difference_is_not_named() -> None:
    functions = [{"name": "top", "function": "max", "expression": "amount"}]
    builder = GraphBuilder().stream("orders", ORDER).add("grouped", "group_by_key", stream="orders")
    builder.add("tops", "aggregate", {"functions": functions}, grouped="grouped")
    found = follower(builder, order("a", 1, 1), order("a", 9, 2), order("a", 4, 3))
    (output,) = [each for each in found.outputs(at(2)) if each.node == "tops"]

    assert found.inputs_of(at(2), output).inputs == [at(2), at(1)]


def test_inputs_for_which_no_time_is_left_are_said_to_be_unsure() -> None:
    found = follower(summed(), order("a", 3, 1), order("a", 2, 3))
    (output,) = [each for each in found.outputs(at(1)) if each.node == "sums"]

    made = found.inputs_of(at(1), output, seconds=0)

    assert (made.inputs, made.unsure) == ([at(1)], [at(0)])


def in_order(case: Case) -> Callable[[FollowingTrial], Sequence[Row]]:
    """The records of a case as its driver takes them."""

    def rows(trial: FollowingTrial) -> Sequence[Row]:
        found = list[Row]()
        for number, record in enumerate(case["inputs"]):
            schema = trial._find_schema(trial.layout.sources_by_topic[record["topic"]][0])
            headers = {name: None if text is None else text.encode() for name, text in record.get("headers", ())}
            key, value = _encode(schema.key, record["key"]), _encode(schema.value, record["value"])
            row: Row = (0, key, value, record["timestamp"], write_headers(headers.items()), 0, number)
            found += trial._find_arriving(record["topic"], row)
        return found

    return rows


def following(case: Case, graph: Graph) -> Follower:
    return TrialFollower(lambda origin, like: FollowingTrial(graph, origin=origin, like=like), in_order(case))


def is_made_without(found: Follower, origin: Origin, output: Output, left_out: Origin) -> bool:
    """Whether an output of a record is made as often when another input is left out."""
    without, whole = found.run(origin, without=left_out)[0], found.run(origin)[0]
    return without.output_counts[output] == whole.output_counts[output]


def wrongly_named(outputs: int, seed: int) -> list[tuple[str, Output, Origin]]:
    """Inputs of so many random outputs of random topologies that are named and do not matter, or the reverse.

    Leaves out every input before an output, named or not. Only one that moved stream time may matter unnamed.
    """
    chance, wrong, asked = random.Random(seed), list[tuple[str, Output, Origin]](), 0
    while asked < outputs:
        case, graph = chance.choice(graphs())
        found = following(case, graph)
        number = chance.randrange(len(case["inputs"]))
        origin = Origin(case["inputs"][number]["topic"], 0, number)
        made = sorted(found.outputs(origin))
        if not made:
            continue
        output = chance.choice(made)
        named = found.inputs_of(origin, output, seconds=PATIENCE_SECONDS).inputs
        asked += 1
        newest = -1
        for before, record in enumerate(case["inputs"][: number + 1]):
            other = Origin(record["topic"], 0, before)
            moves_time, newest = record["timestamp"] > newest, max(newest, record["timestamp"])
            matters = not is_made_without(found, origin, output, other)
            if matters != (other in named) and not (matters and moves_time):
                wrong.append((case["name"], output, other))
    return wrong


def test_of_random_topologies_each_named_input_matters_and_no_other_does() -> None:
    assert wrongly_named(60, seed=7) == []


@pytest.mark.soak
def test_of_a_thousand_random_outputs_each_named_input_matters_and_no_other_does() -> None:
    assert wrongly_named(1_000, seed=8) == []
