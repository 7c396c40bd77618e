"""merge."""

from designer.checks import check
from designer.values.schemas import ANY, INTEGER, STRING, struct
from tests.runner.graph_builder import GraphBuilder


def merged(*streams, **types):
    builder = GraphBuilder()
    for name in streams:
        builder.stream(name, types.get(name, INTEGER))
    return builder.add("merged", "merge", streams=streams)


def test_records_of_all_streams_pass_as_they_come():
    driver = merged("a", "b", "c").to("out", "merged").driver()

    driver.pipe("c", key="x", value=3)
    driver.pipe("a", key="x", value=1)
    driver.pipe("b", key=None, value=None)

    assert driver.read("out") == [("x", 3), ("x", 1), (None, None)]
    assert driver.counters()["merged"] == {"in": 3, "out": 3, "dropped": 0, "errors": 0}


def test_values_of_different_types_become_json_of_any_type():
    driver = merged("a", "b", b=STRING).to("out", "merged").driver()
    schema = driver.layout.nodes["merged"].outputs["result"].schema

    driver.pipe("a", key="x", value=1)
    driver.pipe("b", key="x", value="one")

    assert (schema.value.format, schema.value.type) == ("json", ANY)
    assert driver.read("out") == [("x", 1), ("x", "one")]


def test_a_stream_merged_with_one_whose_key_was_changed_shuffles():
    builder = GraphBuilder().stream("a", struct(city=STRING)).stream("b", struct(city=STRING))
    builder.add("by-city", "select_key", {"key": "city"}, stream="a")
    builder.add("merged", "merge", streams=("b", "by-city")).add("grouped", "group_by_key", stream="merged")
    driver = builder.add("counts", "count", grouped="grouped").updates_to("out", "counts").driver()

    driver.pipe("a", key="1", value={"city": "x"})
    driver.pipe("b", key="x", value={})

    assert len(driver.layout.sub_topologies) == 2
    assert driver.read("out") == [("x", 1), ("x", 2)]


def test_streams_with_unlike_keys_are_an_issue_that_names_both():
    builder = GraphBuilder().stream("a", INTEGER).stream("b", INTEGER, key=INTEGER)
    graph = builder.add("merged", "merge", streams=("a", "b")).to("out", "merged").graph

    (issue,) = check(graph)
    assert issue.code == "merge.keys"
    assert "plain (string)" in issue.message
    assert "plain (integer)" in issue.message
