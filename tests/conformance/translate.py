"""Turns a conformance case into our graph.

The operators are ours; the functions of the cases, which no expression can say, are put in place of the nodes'
expressions (`Options.functions`). A step that our operators cannot say yet raises `NotYet`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from designer.graph import Edge, Graph, Node
from runner.engine.aggregator import Aggregator
from tests.conformance.functions import Function, predicate_of, roles, value_of

Step = Mapping[str, Any]
ANYTHING = {"kind": "any"}
READ = {"key_format": "json", "value_format": "json", "key_type": ANYTHING, "value_type": ANYTHING}


class NotYet(Exception):
    """The case needs an operator or an option that is not there yet."""


class Translation:
    """The graph of a case, and the functions to run it with."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.steps: list[Step] = case["topology"]
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.functions: dict[str, Callable[..., Any]] = {}
        self.ends: dict[str, str] = {}
        """Step id -> the node whose output is the step's result."""
        self.tables: set[str] = set()
        for step in self.steps:
            translate = getattr(self, f"_{step['op']}", None)
            if translate is None:
                raise NotYet(step["op"])
            translate(step)

    @property
    def graph(self) -> Graph:
        return Graph(tuple(self.nodes), tuple(self.edges))

    def _stream(self, step: Step) -> None:
        self._node(step, "stream", READ | {"topic": step["topic"]})

    def _table(self, step: Step) -> None:
        _refuse(step, "versioned")
        self._node(step, "table", READ | {"topic": step["topic"]} | _store(step))
        self.tables.add(step["id"])

    def _global_table(self, step: Step) -> None:
        self._node(step, "global_table", READ | {"topic": step["topic"]})

    def _filter(self, step: Step, negated: bool = False) -> None:
        keep = predicate_of(step["predicate"], negated=negated)
        node = self._node(step, "filter", {"predicate": "TRUE"} | _store(step), records=step["from"])
        self.functions[f"{node}.predicate"] = lambda key, value, time: keep(roles(key=key, value=value))

    def _filter_not(self, step: Step) -> None:
        self._filter(step, negated=True)

    def _map_values(self, step: Step) -> None:
        self._mapped(step, _of_record(step["value"]), _store(step))

    def _map(self, step: Step) -> None:
        """Key and value are both computed from the old record: first the pair of them, then each from the pair."""
        key, value = _of_record(step["key"]), _of_record(step["value"])
        pair = self._part(step, "pair")
        self._mapped(pair, lambda k, v, time: [key(k, v, time), value(k, v, time)])
        keyed = self._part(step, "key", after=pair)
        self._rekeyed(keyed, lambda k, v, time: v[0])
        self._mapped({**step, "from": keyed["id"]}, lambda k, v, time: v[1])

    def _select_key(self, step: Step) -> None:
        self._rekeyed(step, _of_record(step["key"]))

    def _peek(self, step: Step) -> None:
        self._stands_for(step, step["from"])

    def _split(self, step: Step) -> None:
        """The first branch whose predicate holds takes the record: filters that exclude each other."""
        before: list[Callable[[Any], bool]] = []
        for branch in step["branches"]:
            own = predicate_of(branch["predicate"]) if branch.get("predicate") else lambda arguments: True
            node = self._node(branch, "filter", {"predicate": "TRUE"}, records=step["from"])
            self.functions[f"{node}.predicate"] = _first_of(own, tuple(before))
            before.append(own)

    def _repartition(self, step: Step) -> None:
        """Our shuffles come by themselves in front of keyed inputs, once the key counts as changed."""
        behind = [each for each in self.steps if step["id"] in (each.get("from"), each.get("with"))]
        if not behind or not all(_is_keyed(each, step["id"]) for each in behind):
            raise NotYet("repartition by itself")
        self._rekeyed(step, lambda key, value, time: key)

    def _group_by_key(self, step: Step) -> None:
        self._node(step, "group_by_key", stream=step["from"])

    def _group_by(self, step: Step) -> None:
        if step["from"] in self.tables:
            raise NotYet("group_by of a table")
        keyed = self._part(step, "key")
        self._rekeyed(keyed, _of_record(step["key"]))
        self._node(step, "group_by_key", stream=keyed["id"])

    def _windowed_by(self, step: Step) -> None:
        if step["type"] != "tumbling" or step.get("emit", "on_update") != "on_update":
            raise NotYet(f"{step['type']} windows, {step.get('emit')}")
        window = {"size_ms": step["size_ms"], "grace_ms": step.get("grace_ms", 0)}
        self._node(step, "windowed_by", window, grouped=step["from"])

    def _count(self, step: Step) -> None:
        self._node(step, "count", _store(step), grouped=step["from"])
        self.tables.add(step["id"])

    def _aggregate(self, step: Step) -> None:
        add = value_of(step["add"])
        self._aggregated(step, step["init"], lambda k, v, t, agg: add(roles(key=k, value=v, agg=agg)))

    def _reduce(self, step: Step) -> None:
        add = value_of(step["add"])
        self._aggregated(step, None, lambda k, v, t, agg: v if agg is None else add(roles(key=k, value=v, agg=agg)))

    def _to_stream(self, step: Step) -> None:
        if not step.get("key"):
            self._node(step, "to_stream", table=step["from"])
            return
        stream = self._part(step, "stream")
        self._node(stream, "to_stream", table=step["from"])
        self._rekeyed({**step, "from": stream["id"]}, _of_record(step["key"]))

    def _join(self, step: Step) -> None:
        _refuse(step, "grace_ms")
        if step["join_type"] not in ("stream-table", "stream-globaltable"):
            raise NotYet(step["join_type"])
        operator = {"inner": "join", "left": "left_join"}[step["kind"]]
        node = self._node(step, operator, {"value": "left"}, left=step["from"], right=step["with"])
        joiner = value_of(step["joiner"])
        select = _of_record(step["key_selector"]) if step.get("key_selector") else None

        def joined(key: Any, left: Any, right: Any, time: int) -> Any:
            mapped = key if select is None else select(key, left, time)
            return joiner(roles(key=key, left=left, right=right, mapped_key=mapped))

        self.functions[f"{node}.value"] = joined
        if select is not None:
            self.functions[f"{node}.key"] = select

    def _to(self, step: Step) -> None:
        self._node(
            step, "to", {"topic": step["topic"], "key_format": "json", "value_format": "json"}, stream=step["from"]
        )

    def _mapped(self, step: Step, value: Callable[..., Any], config: Mapping[str, Any] | None = None) -> None:
        node = self._node(step, "map_values", {"value": "value"} | dict(config or {}), records=step["from"])
        self.functions[f"{node}.value"] = value

    def _rekeyed(self, step: Step, key: Callable[..., Any]) -> None:
        node = self._node(step, "select_key", {"key": "key"}, stream=step["from"])
        self.functions[f"{node}.key"] = key

    def _aggregated(self, step: Step, init: Any, add: Callable[..., Any]) -> None:
        functions = [{"name": "count", "function": "count"}]
        node = self._node(step, "aggregate", {"functions": functions} | _store(step), grouped=step["from"])
        self.functions[f"{node}.aggregator"] = Aggregator(lambda: init, add)  # type: ignore[assignment]
        self.tables.add(step["id"])

    def _node(self, step: Step, operator: str, config: Mapping[str, Any] | None = None, **inputs: str) -> str:
        node = _name(step["id"])
        self.nodes.append(Node(node, operator, config or {}))
        self.ends[step["id"]] = node
        for port, source in inputs.items():
            self.edges.append(Edge(self.ends[source], "result", node, port))
        if self.tables & {inputs.get("records")}:
            self.tables.add(step["id"])
        return node

    def _part(self, step: Step, name: str, after: Step | None = None) -> dict[str, Any]:
        """A node more than the case has steps."""
        return {"id": f"{step['id']}-{name}", "from": after["id"] if after else step["from"]}

    def _stands_for(self, step: Step, other: str) -> None:
        self.ends[step["id"]] = self.ends[other]
        if other in self.tables:
            self.tables.add(step["id"])


def _of_record(function: Function) -> Callable[[Any, Any, int], Any]:
    compute = value_of(function)
    return lambda key, value, time: compute(roles(key=key, value=value))


def _first_of(own: Callable[[Any], Any], before: tuple[Callable[[Any], bool], ...]) -> Callable[..., bool]:
    def takes(key: Any, value: Any, time: int) -> bool:
        arguments = roles(key=key, value=value)
        return bool(own(arguments)) and not any(other(arguments) for other in before)

    return takes


def _is_keyed(step: Step, stream: str) -> bool:
    if step["op"] == "join":
        return bool(step["join_type"] == "stream-table" and step["from"] == stream)
    return bool(step["op"] == "group_by_key")


def _store(step: Step) -> dict[str, str]:
    return {"store": f"{_name(step['id'])}-store"} if step.get("materialized") else {}


def _refuse(step: Step, field: str) -> None:
    if step.get(field) is not None and step[field] is not False:
        raise NotYet(f"{step['op']} with {field}")


def _name(step_id: str) -> str:
    return step_id.lower().replace("_", "-")
