"""Turns a case into our graph: one operator for each step, its functions as expressions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from designer.topology.graph import Edge, Graph, Node
from tests.conformance.product.functions import Function, Names, NotYet, literal, predicate_text, value_text, whole
from tests.conformance.product.kinds import CASTS, TYPES, Kind, Kinds, reads_back

Step = Mapping[str, Any]
ANYTHING = {"kind": "any"}
READ = {"key_format": "json", "value_format": "json", "key_type": ANYTHING, "value_type": ANYTHING}
WRITE = {"key_format": "json", "value_format": "json", "windowed_key": "json"}
APPLICATION = "oracle-000000-"
"""What the names of Kafka Streams' repartition topics begin with in the oracle: the application's id."""
JOINS = {"inner": "join", "left": "left_join", "outer": "outer_join"}
SPANS = {
    "size_ms": "size_ms",
    "advance_ms": "advance_ms",
    "time_difference_ms": "difference_ms",
    "gap_ms": "gap_ms",
    "grace_ms": "grace_ms",
    "retention_ms": "retention_ms",
    "emit": "emit",
    "store_type": "store_type",
}
CALENDAR = ("unit", "count", "zone", "week_start", "start_hour")


def translated(case: Mapping[str, Any], prefix: str = "") -> Graph:
    """The graph of a case. `prefix` goes before node ids, topics and stores, so that cases can share a graph.

    Raises NotYet.
    """
    made = Translation(Kinds(case), prefix, counts_bytes(case))
    for step in case["topology"]:
        with whole(step):
            made.translate(step)
    return Graph(tuple(made.nodes), tuple(made.edges))


def why_alone(case: Mapping[str, Any]) -> str:
    """Why a case cannot be answered beside others in one graph, whose topics are one; empty if it can."""
    if reads_back(case["topology"]):
        return "it reads a topic that it writes"
    return "the bytes of its topics' names count" if counts_bytes(case) else ""


def counts_bytes(case: Mapping[str, Any]) -> bool:
    """Whether the answer depends on how many bytes keys, values and the names of topics have."""
    return any("max_bytes" in step for step in case["topology"])


class Translation:
    """The nodes and edges of the steps so far. Methods are named after the steps they translate.

    Where bytes are counted, values are in Kafka's own formats as well, and shuffles have names as long as its topics.
    """

    def __init__(self, kinds: Kinds, prefix: str = "", counts_bytes: bool = False) -> None:
        self.kinds = kinds
        self.prefix = prefix
        self.counts_bytes = counts_bytes
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.ends: dict[str, tuple[str, str]] = {}
        """Step id -> the node and output port whose records are the step's result."""
        self.streams: dict[str, str] = {}
        """Topic -> the node that reads it as a stream: Kafka Streams has one source for all of them."""
        self.taken: set[str] = set()

    def translate(self, step: Step) -> None:
        translate = getattr(self, f"_{step['op']}", None)
        if translate is None:
            raise NotYet(f"There is no step {step['op']} here.")
        translate(step)

    def _stream(self, step: Step) -> None:
        topic = step["topic"]
        if topic in self.streams:
            self.ends[step["id"]] = (self.streams[topic], "result")
        else:
            self.streams[topic] = self._node(step, "stream", self._read(step))

    def _table(self, step: Step) -> None:
        history = {"history_ms": step["history_retention_ms"]} if step.get("versioned") else {}
        stored = {**step, "materialized": step.get("materialized") or step.get("versioned")}
        self._node(step, "table", self._read(step) | history | self._store(stored))

    def _global_table(self, step: Step) -> None:
        self._node(step, "global_table", self._read(step))

    def _filter(self, step: Step) -> None:
        config = {"predicate": self._predicate(step, step["predicate"])} | self._store(step)
        self._node(step, step["op"], config, records=step["from"])

    _filter_not = _filter

    def _map(self, step: Step) -> None:
        self._node(step, "map", self._new_key(step) | _texts(step, "value"), stream=step["from"])

    def _map_values(self, step: Step) -> None:
        self._node(step, "map_values", _texts(step, "value") | self._store(step), records=step["from"])

    def _select_key(self, step: Step) -> None:
        self._node(step, "select_key", self._new_key(step), stream=step["from"])

    def _flat_map(self, step: Step) -> None:
        """As many copies as the integer key says."""
        if step.get("repeat", "key") != "key":
            raise NotYet(f"flat_map repeats by the key, not by {step['repeat']}.")
        names = {"tens": "(key * 10 + index)"}
        items = "CASE WHEN typeof(key) = 'bigint' AND key > 0 THEN sequence(1, key) ELSE array() END"
        config = {"items": "array()" if self.kinds.key(step["from"]) == "string" else items}
        config |= self._new_key(step, names) | _texts(step, "value", names=names)
        self._node(step, "flat_map", config, stream=step["from"])

    def _flat_map_values(self, step: Step) -> None:
        texts = [value_text(function) for function in step["values"]]
        if self.kinds.values[step["id"]] is None and len(texts) > 1:  # an array has one type
            texts = [f"parse_json(to_json({text}))" for text in texts]
        self._node(step, "flat_map_values", {"values": f"array({', '.join(texts)})"}, stream=step["from"])

    def _peek(self, step: Step) -> None:
        self._node(step, "peek", {}, stream=step["from"])

    def _merge(self, step: Step) -> None:
        """`s.merge(s)` gives each record once, as its node has one parent; each further merge is its own node."""
        node = self._node(step, "merge", {})
        first, *others = step["from"]
        again = others and self.ends[others[0]] == self.ends[first]
        self._connect(node, "streams", [first, *others[1 if again else 0 :]])

    def _split(self, step: Step) -> None:
        """A last branch without a predicate is the default."""
        branches = [branch for branch in step["branches"] if branch.get("predicate")]
        names = {branch["id"]: f"branch{number}" for number, branch in enumerate(branches, start=1)}
        listed = [
            {"name": names[each["id"]], "predicate": self._predicate(step, each["predicate"])} for each in branches
        ]
        node = self._node(step, "split", {"branches": listed}, stream=step["from"])
        for branch in step["branches"]:
            self.ends[branch["id"]] = (node, names.get(branch["id"], "default"))

    def _repartition(self, step: Step) -> None:
        self._node(step, "repartition", {}, stream=step["from"])

    def _to_table(self, step: Step) -> None:
        self._node(step, "to_table", self._store(step), stream=step["from"])

    def _to_stream(self, step: Step) -> None:
        self._node(step, "to_stream", self._new_key(step), table=step["from"])

    def _group_by_key(self, step: Step) -> None:
        self._node(step, "group_by_key", {}, stream=step["from"])

    def _group_by(self, step: Step) -> None:
        config = self._new_key(step) | _texts(step, "value")
        # the oracle compares JSON nodes, by which an integer of 32 bits is never equal to a key of 64
        if skipped := [key for key in step.get("skip_source_keys", ()) if isinstance(key, str)]:
            keys = ", ".join(literal(json.dumps(key, ensure_ascii=False)) for key in skipped)
            config["key"] = f"CASE WHEN to_json(key) IN ({keys}) THEN NULL ELSE {config['key']} END"
        self._node(step, "group_by", config, records=step["from"])

    def _windowed_by(self, step: Step) -> None:
        spans = {ours: step[theirs] for theirs, ours in SPANS.items() if step.get(theirs) is not None}
        if step["type"] == "calendar":
            del spans["size_ms"]  # what size() of the Windows class gives
            spans |= {field: step[field] for field in CALENDAR if field in step}
        self._node(step, "windowed_by", {"type": step["type"]} | spans, grouped=step["from"])

    def _cogroup(self, step: Step) -> None:
        adds = {each["from"]: value_text(each["add"]) for each in step["inputs"]}  # of one stream the last, as in Kafka
        rows = [{"name": f"input{number}", "add": add} for number, add in enumerate(adds.values(), start=1)]
        node = self._node(step, "cogroup", {"inputs": rows})
        for row, source in zip(rows, adds, strict=True):
            self._connect(node, row["name"], [source])

    def _count(self, step: Step) -> None:
        self._node(step, "count", self._store(step), grouped=step["from"])

    def _reduce(self, step: Step) -> None:
        config = _texts(step, "add") | _texts(step, "sub", to="subtract") | self._store(step)
        self._node(step, "reduce", config, grouped=step["from"])

    def _aggregate(self, step: Step) -> None:
        config = {"init": literal(step.get("init"))} | _texts(step, "add") | _texts(step, "sub", to="subtract")
        config |= _texts(step, "merger", to="merge") | self._store(step)
        self._node(step, "aggregate", config, grouped=step["from"])

    def _join(self, step: Step) -> None:
        key = self._looked_up(step, "key_selector", "key") | self._looked_up(step, "foreign_key", "foreign_key")
        fields = {"window_before_ms": "before_ms", "window_after_ms": "after_ms", "grace_ms": "grace_ms"}
        spans = {ours: step[theirs] for theirs, ours in fields.items() if step.get(theirs) is not None}
        config = {"value": self._joiner(step), "eager": step.get("spurious_fix") is False} | key | spans
        if step["join_type"].startswith("table-table"):
            config |= self._store(step)
        self._node(step, JOINS[step["kind"]], config, left=step["from"], right=step["with"])

    def _joiner(self, step: Step) -> str:
        """The key that was looked up is computed again, from the left value."""
        selector = step.get("key_selector")
        names = {"mapped_key": f"({value_text(selector, {'value': 'left'})})"} if selector else {}
        return value_text(step["joiner"], names)

    def _suppress(self, step: Step) -> None:
        fields = ("until", "wait_ms", "max_records", "max_bytes", "buffer_full")
        config = {field: step[field] for field in fields if step.get(field) is not None}
        self._node(step, "suppress", config, table=step["from"])

    def _to(self, step: Step) -> None:
        self._node(step, "to", WRITE | self._topic(step), stream=step["from"])

    def _node(self, step: Step, operator: str, config: Mapping[str, Any], **inputs: str) -> str:
        node = self._named(step["id"])
        self.nodes.append(Node(node, operator, config))
        self.ends[step["id"]] = (node, "result")
        for port, source in inputs.items():
            self._connect(node, port, [source])
        return node

    def _connect(self, node: str, port: str, sources: Sequence[str] | str) -> None:
        for source in [sources] if isinstance(sources, str) else sources:
            self.edges.append(Edge(*self.ends[source], node, port))

    def _named(self, step_id: str) -> str:
        """The step's id as a node id, numbered where another step has it already."""
        application = APPLICATION if self.counts_bytes else ""
        plain = f"{self.prefix}{application}{re.sub('[^a-z0-9]+', '-', step_id.lower())}".lstrip("-")[:60] or "step"
        names: Iterable[str] = (plain, *(f"{plain}-{number}" for number in range(2, 1_000)))
        name = next(name for name in names if name not in self.taken)
        self.taken.add(name)
        return name

    def _read(self, step: Step) -> dict[str, Any]:
        value = self.kinds.values[step["id"]] if self.counts_bytes else None
        return READ | _typed("key", self.kinds.key(step["id"])) | _typed("value", value) | self._topic(step)

    def _predicate(self, step: Step, predicate: Function) -> str:
        """Texts are no integers, so it is false for them."""
        if predicate["of"] == "key" and self.kinds.key(step["from"]) == "string":
            return "FALSE"
        return predicate_text(predicate)

    def _new_key(self, step: Step, names: Names | None = None) -> dict[str, Any]:
        if not step.get("key"):
            return {}
        kind, text = self.kinds.key(step["id"]), value_text(step["key"], names)
        return {"key": _cast(text, kind), "key_format": kind} if kind else {"key": text}

    def _looked_up(self, step: Step, theirs: str, ours: str) -> dict[str, Any]:
        """The key of the right table that a join computes."""
        if not step.get(theirs):
            return {}
        return {ours: _cast(value_text(step[theirs]), self.kinds.key(step["with"]))}

    def _topic(self, step: Step) -> dict[str, str]:
        return {"topic": self.prefix + step["topic"]}

    def _store(self, step: Step) -> dict[str, str]:
        named = self.prefix + re.sub("[^a-z0-9]+", "-", step["id"].lower()).strip("-")
        return {"store": f"{named}-store"} if step.get("materialized") else {}


def _typed(side: str, kind: Kind | None) -> dict[str, Any]:
    return {f"{side}_format": kind, f"{side}_type": {"kind": TYPES[kind]}} if kind else {}


def _cast(text: str, kind: Kind | None) -> str:
    return text if kind is None else f"CAST({text} AS {CASTS[kind]})"


def _texts(step: Step, *fields: str, to: str | None = None, names: Names | None = None) -> dict[str, Any]:
    """The expressions of those fields that the step has."""
    found: dict[str, Function] = {to or field: step[field] for field in fields if step.get(field)}
    return {field: value_text(function, names) for field, function in found.items()}
