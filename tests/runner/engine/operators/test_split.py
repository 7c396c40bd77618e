"""split."""

import json
from typing import Any

from designer.checks import check
from designer.values.schemas import INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(amount=INTEGER)
BRANCHES = [{"name": "dear", "predicate": "amount > 100"}, {"name": "some", "predicate": "amount > 10"}]


def split(branches=BRANCHES):
    return GraphBuilder().stream("orders", ORDER).add("split", "split", {"branches": branches}, stream="orders")


def test_a_record_goes_to_the_first_branch_that_matches_and_else_to_default():
    driver = split().to("dear", "split:dear").to("some", "split:some").to("rest", "split:default").driver()

    for amount in (500, 50, 5, None):
        driver.pipe("orders", key="a", value={"amount": amount})

    assert driver.read("dear") == [("a", {"amount": 500})]
    assert driver.read("some") == [("a", {"amount": 50})]
    assert driver.read("rest") == [("a", {"amount": 5}), ("a", {"amount": None})]


def test_what_no_branch_takes_is_dropped_where_default_leads_nowhere():
    driver = split().to("dear", "split:dear").driver()

    driver.pipe("orders", key="a", value={"amount": 5})

    assert driver.read("dear") == []


def test_each_output_is_counted_by_itself():
    driver = split().to("dear", "split:dear").to("rest", "split:default").driver()

    for amount in (500, 5, 4):
        driver.pipe("orders", key="a", value={"amount": amount})

    counters = driver.counters()
    assert (counters["dear"]["in"], counters["rest"]["in"]) == (1, 2)


def test_a_branch_may_feed_several_nodes():
    driver = split().to("one", "split:some").to("two", "split:some").driver()

    driver.pipe("orders", key="a", value={"amount": 50})

    assert driver.read("one") == driver.read("two") == [("a", {"amount": 50})]


def test_branches_have_names_of_their_own():
    twice = [BRANCHES[0], BRANCHES[0]]
    default = [{"name": "default", "predicate": "TRUE"}]

    assert [issue.field for issue in check(split(twice).graph) if issue.code == "name.twice"] == ["branches.1.name"]
    assert [issue.field for issue in check(split(default).graph) if issue.code == "branch.default"] == [
        "branches.0.name"
    ]


def test_branches_of_a_rekeyed_stream_still_shuffle():
    builder = GraphBuilder().stream("orders", struct(city=STRING, amount=INTEGER))
    builder.add("by-city", "select_key", {"key": "city"}, stream="orders")
    builder.add("split", "split", {"branches": BRANCHES}, stream="by-city")
    builder.add("grouped", "group_by_key", stream="split:dear").add("counts", "count", grouped="grouped")

    assert len(builder.updates_to("out", "counts").driver().layout.sub_topologies) == 2


PAID = {"type": "record", "name": "shop.Paid", "fields": [{"name": "amount", "type": "long"}]}
SENT = {"type": "record", "name": "shop.Sent", "fields": [{"name": "by", "type": "string"}]}
BY_TYPE = [{"name": "paid", "type": "shop.Paid"}, {"name": "sent", "type": "shop.Sent"}]


def events(branches=BY_TYPE):
    avro: dict[str, Any] = {"value_format": "avro", "value_type": None, "value_schema": json.dumps([PAID, SENT])}
    return GraphBuilder().stream("events", **avro).add("split", "split", {"branches": branches}, stream="events")


def test_a_branch_of_one_type_has_the_fields_of_that_type():
    graph = events().add("sums", "map_values", {"value": "amount + 1"}, records="split:paid").to("sums-out", "sums")
    driver = graph.to("sent", "split:sent", value_format="json").driver()

    driver.pipe_bytes("events", b"a", b"\x00\x0a", 0)
    driver.pipe_bytes("events", b"a", b"\x02\x04me", 0)
    driver.pipe_bytes("events", b"a", None, 0)

    assert check(graph.graph) == []
    assert driver.read("sums-out") == [("a", 6)]
    assert driver.read("sent") == [("a", {"by": "me"})]


def test_a_branch_of_one_type_is_written_with_the_schema_of_that_type():
    driver = events().to("paid", "split:paid").driver()

    driver.pipe_bytes("events", b"a", b"\x00\x0a", 0)

    [(_, row)] = driver.rows()
    assert row[2] == b"\x0a"


def test_records_of_a_type_without_a_branch_go_to_default():
    driver = events(BY_TYPE[:1]).to("paid", "split:paid").to("rest", "split:default", value_format="json").driver()

    driver.pipe_bytes("events", b"a", b"\x02\x04me", 0)

    [(topic, row)] = driver.rows()
    assert (topic, row[2]) == ("rest", b'{"by":"me"}')


def test_a_branch_has_either_a_predicate_or_a_type_of_the_value():
    both = [{"name": "paid", "type": "shop.Paid", "predicate": "TRUE"}]
    unknown = [{"name": "paid", "type": "shop.Payed"}]

    assert [issue.code for issue in check(events(both).to("out", "split:paid").graph)] == ["branch.both"]
    assert [issue.code for issue in check(events([{"name": "paid"}]).graph)][:1] == ["branch.empty"]
    [issue] = check(events(unknown).to("out", "split:paid").graph)
    assert (issue.code, issue.field) == ("branch.type", "branches.0.type")
    assert issue.message == "The value has no type `shop.Payed`; it has shop.Paid, shop.Sent."
