"""The fingerprints of stores: stored with a plan, read back as they were, and made for plans that have none."""

from dataclasses import replace

import pytest

from designer.topology.graph import Graph
from designer.values.schemas import INTEGER, STRING, Side, WindowSpec, struct
from runner.control.jobs.plans.state_changes import (
    find_state_changes,
    fingerprint_stores,
    list_first_states,
    with_fingerprint,
)
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layers import is_clone
from runner.plan import Plan, StoreFingerprint
from tests.conformance.kept import graphs
from tests.runner.control.jobs.test_next_epoch import plan
from tests.runner.control.jobs.test_rebuild import SUM, kept
from tests.runner.graph_builder import GraphBuilder

LAYOUTS = [lay_out(graph, {}) for _, graph in graphs()]


def stored(drawn: Graph | None = None) -> Plan:
    """A plan as Postgres returns it, with its fingerprints."""
    return Plan.model_validate(with_fingerprint(plan(drawn)).to_stored())


def effects(old: Plan, new: Plan) -> list[tuple[str, str]]:
    return [(change.store, change.effect) for change in find_state_changes(old, new)]


def test_fingerprints_of_all_conformance_topologies_are_read_back_as_they_were():
    assert sum(len(layout.stores) for layout in LAYOUTS) > 300
    for layout in LAYOUTS:
        made = plan().model_copy(update={"stores": fingerprint_stores(layout, [2] * len(layout.sub_topologies))})
        read = Plan.model_validate(made.to_stored()).stores or {}

        assert {name: _read(found) for name, found in read.items()} == {
            store.name: (store.kind, store.key, store.value, store.window, store.form)
            for store in layout.stores
            if not is_clone(store.node)
        }


def _read(found: StoreFingerprint) -> tuple[object, ...]:
    window = None if found.window is None else WindowSpec.from_json(found.window)
    return found.kind, Side.from_json(found.key), Side.from_json(found.value), window, found.form


@pytest.mark.parametrize("is_old_stored", [True, False])
def test_a_plan_without_fingerprints_is_compared_as_one_with_them(is_old_stored: bool):
    old = stored() if is_old_stored else plan()

    assert (old.stores is None) is not is_old_stored
    assert effects(old, stored()) == [("kept", "kept")]
    assert effects(old, stored(kept("aggregate", **SUM))) == [("kept", "starts_empty")]
    assert effects(old, stored(kept(hourly=True))) == [("kept", "starts_empty")]
    assert [change.effect for change in list_first_states(old)] == ["new"]


def test_a_store_that_a_version_lacks_is_named():
    old = stored()
    new = old.model_copy(update={"stores": {"other": (old.stores or {})["kept"]}})

    assert [(change.effect, change.why) for change in find_state_changes(old, new)] == [
        ("new", "The version before has no store `other`, so it starts empty."),
        ("dropped", "The version to deploy has no store `kept`: its rows are deleted."),
    ]


def regrouped(added: str | None = None) -> Graph:
    """Orders counted by their state, and these counts counted. Both take back the rows that they had before."""
    builder = GraphBuilder().table("orders", struct(state=STRING, amount=INTEGER))
    config = {"value": f"named_struct('state', state{added or ''})", "store": "states"}
    builder.add("known", "map_values", config, records="orders")
    builder.add("paid", "filter", {"predicate": "state <> 'new'"}, records="known")
    builder.add("by-state", "group_by", {"key": "state"}, records="paid").add("counts", "count", grouped="by-state")
    builder.add("by-count", "group_by", {"key": "value"}, records="counts").add("sizes", "count", grouped="by-count")
    return builder.updates_to("out", "sizes").graph


def test_aggregates_start_empty_with_the_table_whose_rows_they_take_back():
    changes = find_state_changes(stored(regrouped()), stored(regrouped(", 'amount', amount")))

    assert [(change.store, change.effect) for change in changes] == [
        ("states", "starts_empty"),
        ("counts", "starts_empty"),
        ("sizes", "starts_empty"),
    ]
    assert changes[1].why == "It counts rows of the store states, which starts empty."
    assert effects(stored(regrouped()), stored(regrouped())) == [
        ("states", "kept"),
        ("counts", "kept"),
        ("sizes", "kept"),
    ]


def test_many_ways_from_a_table_to_an_aggregate_take_no_time():
    builder = GraphBuilder().table("orders", INTEGER)
    for number in range(40):
        before = f"twice-{number - 1}" if number else "orders"
        builder.add(f"twice-{number}", "join", {"value": "left + right"}, left=before, right=before)
    builder.add("by-value", "group_by", {"key": "value"}, records="twice-39").add("counts", "count", grouped="by-value")

    fingerprints = stored(builder.updates_to("out", "counts").graph).stores or {}

    assert {name: store.follows for name, store in fingerprints.items()} == {"orders": [], "counts": ["orders"]}


def test_aggregates_start_empty_with_a_damaged_table_whose_rows_they_take_back():
    changes = find_state_changes(stored(regrouped()), stored(regrouped()), {"states": "It cannot be read."})

    assert [(change.store, change.effect) for change in changes] == [
        ("states", "damaged"),
        ("counts", "starts_empty"),
        ("sizes", "starts_empty"),
    ]
    assert changes[0].why == "It cannot be read."


def test_the_stored_fingerprint_counts_and_not_what_its_graph_says_today():
    old = stored()
    assert old.stores is not None
    wider = {name: store.model_copy(update={"tasks": 3}) for name, store in old.stores.items()}

    (change,) = find_state_changes(old.model_copy(update={"stores": wider}), stored())

    assert (change.effect, change.why) == ("starts_empty", "It was divided over 3 tasks and would now have 2.")


def test_members_that_a_later_version_writes_into_a_fingerprint_do_not_empty_a_store():
    old = stored()
    json = old.to_stored()
    for store in json["stores"].values():
        store["a_later_member"] = store["value"]["a_later_member"] = 1

    assert effects(Plan.model_validate(json), stored()) == [("kept", "kept")]


def test_another_name_of_a_node_keeps_its_store():
    nodes = tuple(replace(node, id="orders2" if node.id == "orders" else node.id) for node in kept().nodes)
    edges = tuple(replace(edge, source="orders2" if edge.source == "orders" else edge.source) for edge in kept().edges)

    assert effects(stored(), stored(Graph(nodes, edges))) == [("kept", "kept")]


def change_nodes(graph: Graph, **settings: dict[str, object]) -> Graph:
    nodes = [
        replace(node, config={**node.config, **settings[node.id]}) if node.id in settings else node
        for node in graph.nodes
    ]
    return replace(graph, nodes=tuple(nodes))


def test_a_kept_store_says_what_made_its_rows_otherwise():
    def counted(topic: str, middle: str, operator: str, settings: dict[str, object], port: str, counter: str) -> Graph:
        builder = GraphBuilder().stream(topic, struct(n=INTEGER)).add(middle, operator, settings, **{port: topic})
        builder.add("grouped", "group_by_key", stream=middle)
        return builder.add(counter, "count", {"store": "counts"}, grouped="grouped").updates_to("out", counter).graph

    old = counted("clicks", "big", "filter", {"predicate": "n > 10"}, "records", "counted")
    new = counted("visits", "doubled", "map_values", {"value": "n * 2"}, "records", "totals")

    def why(one: Graph, other: Graph) -> str:
        (change,) = find_state_changes(stored(one), stored(other))
        assert change.effect == "kept"
        return change.why

    fits = "Its contents fit the new version."
    changed = change_nodes(old, big={"predicate": "n > 100"}, clicks={"topic": "visits"})
    assert why(old, old) == fits
    assert why(old, changed) == f"{fits} Earlier rows were made with other settings of `clicks` and `big`."
    assert why(old, new) == (f"{fits} Earlier rows were made without `visits` and `doubled`, with `clicks` and `big`.")
