"""Random topologies with input records, as cases that no one has answered yet."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from typing import Any

from runner.engine.operators.windowed_by import WindowedBy

STR_KEYS = ["a", "b", "c", "d"]
INT_KEYS = [1, 2, 3, 12]
ZONES = ["Europe/Copenhagen", "America/New_York", "Australia/Lord_Howe", "America/St_Johns", "Asia/Tokyo", "UTC"]
TURNS = [
    (4, 1774573200000),  # 2026-03-27, before clocks change in Europe
    (4, 1792796400000),  # 2026-10-23
    (6, 1772928000000),  # 2026-03-08, when they change in America
    (20, 1766620800000),  # 2025-12-25, around the end of a year
    (100, 1832716800000),  # 2028-01-28, before a February of 29 days
    (4, 0),
]
"""How far records lie apart (h), and the time at which they begin (ms)."""


def fn(name, **fields):
    return {"fn": name, **fields}


def template(text):
    return fn("template", template=text)


@dataclass(frozen=True)
class Node:
    """What a step gives. `value`: str (letter, number), ref (text|key), num (digits), text, int or float."""

    id: str
    kind: str  # stream, table, global, grouped_stream, grouped_table, windowed_stream
    key: str
    value: str
    window: str = ""  # id of the windowed_by step, on tables and streams with windowed keys
    rekeyed: bool = False


class Generator:
    """Builds one candidate. Methods named after steps append them and return the resulting node."""

    def __init__(self, rng):
        self.rng = rng
        self.steps = []
        self.topics = []  # (topic, key type, value type, is a table)
        self.sinks = 0
        self.prefixes = {}  # instead of those given, in the ids of steps
        self.has_headers = False
        self.begins = 0  # the time of the first record
        self.unit = rng.choice([5, 10, 10, 20]) * rng.choice([1, 1, 1, 1000, 60000])

    # ---- small helpers

    def maybe(self, probability):
        return self.rng.random() < probability

    def one_of(self, *choices):
        return self.rng.choice(choices)

    def add(self, prefix, op, **fields):
        step_id = f"{self.prefixes.get(prefix, prefix)}{len(self.steps)}"
        self.steps.append({"id": step_id, "op": op, **fields})
        return step_id

    def span(self, *factors):
        """A duration: one of the factors times the case's unit of time, sometimes off by one."""
        return max(0, int(self.rng.choice(factors) * self.unit) + self.rng.choice([0, 0, 0, 1, -1]))

    def types(self, key=None, values=("str", "str", "int", "ref", "num")):
        return key or self.one_of("str", "str", "int"), self.rng.choice(values)

    # ---- sources and sinks

    def source(self, op, prefix, key, value, **fields):
        topic = f"in{len(self.topics)}"
        self.topics.append((topic, key, value, op != "stream"))
        kind = {"stream": "stream", "table": "table", "global_table": "global"}[op]
        return Node(self.add(prefix, op, topic=topic, **fields), kind, key, value)

    def stream(self, key=None, value=None):
        types = self.types(key)
        return self.source("stream", "s", types[0], value or types[1])

    def table(self, key=None, value=None, versioned=None):
        types = self.types(key)
        fields = {}
        if versioned or (versioned is None and self.maybe(0.15)):
            fields = {"versioned": True, "history_retention_ms": self.span(2, 5, 50) + 1}
        elif self.maybe(0.2):
            fields = {"materialized": True}
        return self.source("table", "t", types[0], value or types[1], **fields)

    def sink(self, node):
        if node.kind == "table":
            node = self.to_stream(node, plain=True)
        self.add("sink", "to", **{"topic": f"out{self.sinks or ''}", "from": node.id})
        self.sinks += 1

    # ---- functions

    def value_function(self, node):
        """A function of the row and the type of its result."""
        choices = [(template("{value}!"), "text"), (template("{key}={value}"), "text"), (fn("value"), node.value)]
        if node.window:
            choices.append((template("{value}@{window_start}"), "text"))
        if node.value in ("str", "ref", "num", "text"):
            choices.append((fn("length"), "int"))
            if node.value != "text":
                choices.append((fn("char", of="value", index=0), "text"))
            if node.key == "int" and not node.window:
                choices.append((fn("length_plus_key"), "int"))
        if node.value == "ref":
            choices.append((fn("split", of="value", sep="|", index=self.one_of(0, 1)), "text"))
        if node.value == "num":
            choices += [(fn("to_int"), "int")] * 3
        if node.value == "float":
            choices = [(fn("trunc"), "int"), (fn("value"), "float")]
        return self.rng.choice(choices)

    def key_function(self, node):
        """A function of the row for a new, never windowed key, and the type of the key."""
        choices = [(fn("key"), node.key)] * 2
        if node.value != "float":
            choices.append((fn("char", of="value", index=self.one_of(0, 1) if node.value == "text" else 0), "str"))
        if node.value in ("str", "num"):
            choices.append((fn("value"), "str"))
        if node.value == "int":
            choices.append((fn("value"), "int"))
        if node.value == "ref":
            choices += [(fn("split", of="value", sep="|", index=1, null_values=["none"]), "str")] * 3
        keys = STR_KEYS if node.key == "str" else INT_KEYS
        table = {str(k): self.rng.choice(STR_KEYS) for k in keys if self.maybe(0.8)}
        choices += [(fn("lookup", of="key", table=table), "str"), (fn("const", value="all"), "str")]
        if node.window:
            choices.append((template("{key}/{window_start}"), "str"))
        return self.rng.choice(choices)

    def predicate(self, node):
        of = self.rng.choice((["value"] if node.value == "int" else []) + (["key"] if node.key == "int" else []))
        if self.maybe(0.6):
            mod = self.one_of(2, 3)
            return fn("mod_eq", of=of, mod=mod, eq=self.rng.randrange(mod))
        return fn("lt", of=of, than=self.one_of(2, 3) if of == "key" else self.rng.randint(-5, 30))

    @staticmethod
    def has_predicate(node):
        return node.value == "int" or node.key == "int"

    def materialized(self):
        return self.one_of({}, {}, {"materialized": True}, {"materialized": False})

    # ---- streams

    def stateless(self, node):
        """Any one stateless operator on a stream."""
        choices = [
            self.map_values,
            self.map_values,
            self.flat_map_values,
            self.peek,
            self.repartition,
            self.select_key,
            self.map,
        ]
        if not node.window:
            choices.append(self.merge)
        if node.key == "int" and not node.window:
            choices += [self.flat_map] * 2
        if self.has_predicate(node):
            choices += [self.filter, self.filter, self.split]
        return self.rng.choice(choices)(node)

    def map_values(self, node):
        function, value = self.value_function(node)
        more = self.materialized() if node.kind == "table" and not node.window else {}
        return replace(
            node, id=self.add("mv", "map_values", **{"from": node.id, "value": function, **more}), value=value
        )

    def flat_map_values(self, node):
        value = "int" if self.maybe(0.3) and node.value in ("str", "text") else node.value
        if node.value == "float":
            functions = [fn("value")] * self.one_of(0, 1, 2)
        elif value == "int" and node.value != "int":
            functions = [self.one_of(fn("length"), fn("const", value=7)) for _ in range(self.one_of(1, 2, 3))]
        elif value == "int":
            functions = [self.one_of(fn("value"), fn("const", value=7)) for _ in range(self.one_of(1, 2))]
        else:
            value = "text"
            functions = [
                self.one_of(fn("value"), template("{value}+"), template("{key}~"))
                for _ in range(self.one_of(0, 1, 2, 2, 3))
            ]
        return replace(
            node, id=self.add("fv", "flat_map_values", **{"from": node.id, "values": functions}), value=value
        )

    def peek(self, node):
        return replace(node, id=self.add("p", "peek", **{"from": node.id}))

    def filter(self, node):
        more = self.materialized() if node.kind == "table" and not node.window else {}
        return replace(
            node,
            id=self.add(
                "f", self.one_of("filter", "filter_not"), **{"from": node.id, "predicate": self.predicate(node), **more}
            ),
        )

    def select_key(self, node):
        key, kind = self.key_function(node)
        return replace(
            node, id=self.add("sk", "select_key", **{"from": node.id, "key": key}), key=kind, window="", rekeyed=True
        )

    def map(self, node):
        key, kind = self.key_function(node)
        function, value = self.value_function(node)
        return replace(
            node,
            id=self.add("m", "map", **{"from": node.id, "key": key, "value": function}),
            key=kind,
            value=value,
            window="",
            rekeyed=True,
        )

    def flat_map(self, node):
        value, kind = self.one_of((fn("value"), node.value), (template("{value}#{tens}"), "text"))
        key = self.one_of((fn("key"), "int"), (template("{tens}"), "str"))
        return replace(
            node,
            id=self.add("fm", "flat_map", **{"from": node.id, "repeat": "key", "key": key[0], "value": value}),
            key=key[1],
            value=kind,
            rekeyed=True,
        )

    def repartition(self, node):
        return replace(node, id=self.add("r", "repartition", **{"from": node.id}), rekeyed=False)

    def merge(self, node):
        ids = [node.id, self.stream(node.key, "str" if node.value == "text" else node.value).id]
        if self.maybe(0.2):
            ids.append(self.peek(node).id)
        self.rng.shuffle(ids)
        return replace(node, id=self.add("mg", "merge", **{"from": ids}))

    def split(self, node):
        base = len(self.steps)
        branches = [{"id": f"b{base}_{i}", "predicate": self.predicate(node)} for i in range(self.one_of(1, 2))]
        if self.maybe(0.6) or len(branches) == 1:
            branches.append({"id": f"b{base}_rest"})
        self.add("split", "split", **{"from": node.id, "branches": branches})
        nodes = [replace(node, id=b["id"]) for b in branches]
        for other in nodes[1:]:
            if self.maybe(0.5):
                self.sink(self.map_values(other) if self.maybe(0.5) else other)
        return nodes[0]

    def ready(self, node):
        """The stream with the repartition step that Kafka would insert."""
        return self.repartition(node) if node.rekeyed else node

    # ---- tables

    def to_stream(self, node, plain=False):
        if plain or self.maybe(0.7):
            return replace(node, id=self.add("ts", "to_stream", **{"from": node.id}), kind="stream")
        key, kind = self.key_function(node)
        return replace(
            node,
            id=self.add("ts", "to_stream", **{"from": node.id, "key": key}),
            kind="stream",
            key=kind,
            window="",
            rekeyed=True,
        )

    def to_table(self, node):
        node = self.ready(self.select_key(node) if node.window else node)
        return replace(node, id=self.add("tt", "to_table", **{"from": node.id, **self.materialized()}), kind="table")

    def table_op(self, node):
        """Any one operator on a table, which may also leave it for a stream."""
        choices = [self.map_values, self.map_values, self.to_stream, self.table_aggregate]
        if self.has_predicate(node):
            choices += [self.filter, self.filter]
        choices.append(self.suppress)
        if node.window:
            choices += [self.suppress, self.join_windowed]
        else:
            choices += [self.join_tables, self.join_foreign] if node.value == "ref" else [self.join_tables]
        return self.rng.choice(choices)(node)

    def suppress(self, node, until=None):
        until = until or (self.one_of("window_close", "time_limit") if node.window else "time_limit")
        fields = {}
        if until == "time_limit":
            fields["wait_ms"] = self.span(0, 0.5, 1, 3)
            if self.maybe(0.35):
                fields.update(max_records=self.one_of(1, 2, 3), buffer_full="emit_early")
                if self.maybe(0.4):
                    fields["wait_ms"] = None
        return replace(node, id=self.add("sup", "suppress", **{"from": node.id, "until": until, **fields}))

    def suppress_bytes(self, node):
        """An entry counts 28 bytes, its key and values, which have 2 to 30 together, and a topic's name of 3 to 30."""
        fields = {"wait_ms": self.one_of(None, self.span(1, 3, 10)), "max_bytes": self.rng.randint(30, 250)}
        if self.maybe(0.15):
            fields["max_records"] = self.one_of(1, 2, 3)
        more = {"until": "time_limit", "buffer_full": "emit_early", **fields}
        return replace(node, id=self.add("sup", "suppress", **{"from": node.id, **more}))

    # ---- aggregation

    def grouped(self, node):
        """A grouped stream."""
        if self.maybe(0.6) and not node.window:
            node = self.ready(node)
            return replace(node, id=self.add("g", "group_by_key", **{"from": node.id}), kind="grouped_stream")
        key, kind = self.key_function(node)
        return replace(
            node,
            id=self.add("g", "group_by", **{"from": node.id, "key": key}),
            kind="grouped_stream",
            key=kind,
            window="",
            rekeyed=False,
        )

    def windowed(self, node, window=None, emit=None):
        """A windowed stream from a grouped or cogrouped one."""
        window = window or self.one_of("tumbling", "hopping", "sliding", "session")
        grace = self.rng.choice([0, 0, self.span(0.2, 0.5, 1, 3), self.span(10)])
        fields = {"type": window}
        if window in ("tumbling", "hopping"):
            fields["size_ms"] = size = max(2, self.span(1, 1, 2))
            if window == "hopping":
                fields["advance_ms"] = max(1, min(size, int(size * self.one_of(0.25, 0.5, 0.7))))
            least = size + grace
        elif window == "sliding":
            fields["time_difference_ms"] = difference = max(1, self.span(0.5, 1, 1))
            least = 2 * difference + grace
        elif window == "calendar":
            fields |= self.calendar()
            least = fields["size_ms"] + grace
        else:
            fields["gap_ms"] = gap = max(1, self.span(0.3, 0.5, 1))
            least = gap + grace
        fields["grace_ms"] = grace
        if self.maybe(0.1):
            fields["retention_ms"] = least + self.span(1, 5)
        emit = emit or ("on_close" if node.kind == "grouped_stream" and self.maybe(0.45) else "on_update")
        if emit == "on_close" or self.maybe(0.1):
            fields["emit"] = emit
        if self.maybe(0.2):
            fields["store_type"] = "in_memory"
        step_id = self.add("w", "windowed_by", **{"from": node.id, **fields})
        return replace(node, id=step_id, kind="windowed_stream", window=step_id)

    def calendar(self):
        """A calendar, and how long Kafka Streams thinks that its windows are (size())."""
        fields = {"unit": self.one_of("day", "day", "week", "month", "year"), "zone": self.rng.choice(ZONES)}
        if fields["unit"] == "week" and self.maybe(0.5):
            fields["week_start"] = self.one_of("sunday", "saturday")
        if self.maybe(0.2):
            fields["start_hour"] = self.one_of(2, 6, 23)
        if self.maybe(0.2):
            fields["count"] = self.one_of(2, 3)
        return fields | {"size_ms": WindowedBy(type="calendar", **fields).longest_ms}

    def adder(self, value, result):
        """An aggregator for values of a type, giving an aggregate of type int or text."""
        if result == "text":
            return self.one_of(template("{agg}+{value}"), template("{agg}{value};"), template("{agg}{key}{value}"))
        if value == "int":
            return self.one_of(fn("sum"), fn("sum"), fn("increment"))
        return fn("sum_parsed") if value == "num" and self.maybe(0.7) else fn("increment")

    def aggregate(self, node, window=None, emit=None):
        """Groups a stream and aggregates it, in windows or not."""
        if self.maybe(0.12):
            return self.cogroup(node, window)
        grouped = self.grouped(node)
        if window or (window is None and self.maybe(0.6)):
            grouped = self.windowed(grouped, window or None, emit)
        return self.finish(grouped)

    def finish(self, grouped):
        """The aggregation itself, on a grouped or windowed stream."""
        session = grouped.window and self.step(grouped.window)["type"] == "session"
        op = self.one_of("count", "reduce", "aggregate", "aggregate")
        if op == "count":
            step_id, value = self.add("agg", "count", **{"from": grouped.id}), "int"
        elif op == "reduce":
            value = "int" if grouped.value == "int" else "text"
            add = fn("sum") if value == "int" else template("{agg}+{value}")
            step_id = self.add("agg", "reduce", **{"from": grouped.id, "add": add})
        else:
            value = self.one_of("int", "text", "text")
            init = 0 if value == "int" else self.one_of("", "", "0")
            add = self.adder(grouped.value, value)
            if self.maybe(0.06) and not session:  # deletes the row for values that are not listed
                letters = {f"{k}{i}": f"{k} kept" for k in STR_KEYS for i in range(0, 40, 2)}
                value, add = "text", fn("lookup", of="value", table=letters)
            more = {"merger": fn("sum_agg") if value == "int" else template("{agg}&{other}")} if session else {}
            step_id = self.add("agg", "aggregate", **{"from": grouped.id, "init": init, "add": add, **more})
        return Node(step_id, "table", grouped.key, value, grouped.window)

    def cogroup(self, node, window=None):
        """Groups a stream and up to two more, and aggregates them together, in windows or not."""
        first = self.grouped(node)
        value = self.one_of("int", "text")
        inputs = [(first, self.adder(first.value, value))]
        for _ in range(self.one_of(0, 1, 1, 2)):
            other = self.stream(first.key)
            key, kind = self.key_function(other)
            if kind == first.key and self.maybe(0.5):
                grouped = self.add("g", "group_by", **{"from": other.id, "key": key})
            else:
                grouped = self.add("g", "group_by_key", **{"from": other.id})
            inputs.append((replace(other, id=grouped), self.adder(other.value, value)))
        step_id = self.add("cg", "cogroup", inputs=[{"from": n.id, "add": a} for n, a in inputs])
        node = Node(step_id, "cogrouped", first.key, value)
        more = {}
        if window or (window is None and self.maybe(0.5)):
            node = self.windowed(node, window or None, "on_update")
            if self.step(node.window)["type"] == "session":
                more = {"merger": fn("sum_agg") if value == "int" else template("{agg}&{other}")}
        step_id = self.add("agg", "aggregate", **{"from": node.id, "init": 0 if value == "int" else "0", **more})
        return Node(step_id, "table", first.key, value, node.window)

    def table_aggregate(self, node):
        """Groups a table by another key and aggregates it with adder and subtractor."""
        return self.finish_rows(self.grouped_rows(node))

    def grouped_rows(self, node):
        """A grouped table."""
        key, kind = self.key_function(node)
        function, value = (fn("value"), node.value) if self.maybe(0.7) else self.value_function(node)
        more = (
            {"skip_source_keys": [self.rng.choice(STR_KEYS if node.key == "str" else INT_KEYS)]}
            if self.maybe(0.1) and not node.window
            else {}
        )
        group = self.add("g", "group_by", **{"from": node.id, "key": key, "value": function, **more})
        return Node(group, "grouped_table", kind, value)

    def finish_rows(self, grouped):
        """The aggregation itself, on a grouped table."""
        value = grouped.value
        op = self.one_of("count", "reduce", "aggregate", "aggregate")
        fields = {}
        result = "int"
        if op == "reduce":
            result = "int" if value == "int" else "text"
            fields = (
                {"add": fn("sum"), "sub": fn("subtract")}
                if value == "int"
                else {"add": template("{agg}+{value}"), "sub": template("{agg}-{value}")}
            )
        elif op == "aggregate" and value == "int" and self.maybe(0.6):
            fields = {"init": 0, "add": fn("sum"), "sub": fn("subtract")}
        elif op == "aggregate":
            result = "text"
            fields = {
                "init": "0",
                "add": template("{agg}+{value}"),
                "sub": self.one_of(template("{agg}-{value}"), fn("remove_substring")),
            }
        return Node(self.add("agg", op, **{"from": grouped.id, **fields}), "table", grouped.key, result)

    def step(self, step_id):
        return next(s for s in self.steps if s["id"] == step_id)

    # ---- joins

    def other_stream(self, node):
        """Another stream with the same type of key, possibly behind an operator."""
        other = self.stream(node.key)
        if self.maybe(0.15):
            other = self.rng.choice([self.map_values, self.flat_map_values, self.peek, self.repartition])(other)
        elif self.maybe(0.15):
            key, kind = self.key_function(other)
            if kind == node.key:
                other = replace(other, id=self.add("sk", "select_key", **{"from": other.id, "key": key}), rekeyed=True)
        return other

    def join_streams(self, node):
        node = self.ready(node)
        other = node if self.maybe(0.1) else self.ready(self.other_stream(node))
        kind = self.one_of("inner", "left", "outer")
        before = self.span(0.5, 1, 1, 2)
        after = before if self.maybe(0.5) else self.span(0, 0.5, 1, 2)
        if self.maybe(0.08):
            before = -min(after, self.span(0.2, 0.5))
        elif self.maybe(0.08):
            after = -min(before, self.span(0.2, 0.5))
        fields = {
            "window_before_ms": before,
            "window_after_ms": after,
            "grace_ms": self.rng.choice([0, 0, self.span(0.2, 0.5, 1), self.span(5, 100)]),
        }
        if self.maybe(0.06):
            fields["spurious_fix"] = False
        return self.joined(node, other, "stream-stream", kind, fields)

    def joined(self, node, other, join_type, kind, fields, kind_of_node="stream"):
        texts = ["{left}+{right}", "({left},{right})"]
        if join_type.startswith("stream") and not node.window:
            texts.append("{key}:{left}+{right}")
        if join_type == "stream-globaltable":
            texts.append("{mapped_key}|{left}|{right}")
        step_id = self.add(
            "j",
            "join",
            **{
                "join_type": join_type,
                "kind": kind,
                "from": node.id,
                "with": other.id,
                **fields,
                "joiner": template(self.rng.choice(texts)),
            },
        )
        return replace(node, id=step_id, kind=kind_of_node, value="text")

    def join_table(self, node):
        """Stream with table."""
        if node.window:
            node = self.select_key(node)
        node = self.ready(node)
        fields = {}
        if self.maybe(0.3):
            table = self.table(node.key, versioned=True)
            self.step(table.id)["history_retention_ms"] += 1
            if self.maybe(0.7):
                grace = self.span(0, 0.5, 1, 2)
                self.step(table.id)["history_retention_ms"] += grace
                fields["grace_ms"] = grace
        elif self.maybe(0.25):
            table = self.finish(self.add_group(self.stream(node.key)))
        elif self.maybe(0.2):
            table = self.to_table(self.stream(node.key))
        else:
            table = self.table(node.key)
            if self.maybe(0.3):
                table = self.map_values(table)
        return self.joined(node, table, "stream-table", self.one_of("inner", "left"), fields)

    def add_group(self, stream):
        return replace(stream, id=self.add("g", "group_by_key", **{"from": stream.id}), kind="grouped_stream")

    def join_global(self, node):
        choices = [(fn("key"), node.key)]
        if node.value == "ref":
            choices += [(fn("split", of="value", sep="|", index=1, null_values=["none"]), "str")] * 4
        elif node.value == "int":
            choices.append((fn("value"), "int"))
        else:
            choices.append((fn("char", of="value", index=0), "str"))
        selector, kind = self.rng.choice(choices)
        _, value = self.types()
        table = self.source("global_table", "gt", kind, value)
        joined = self.joined(
            node, table, "stream-globaltable", self.one_of("inner", "left"), {"key_selector": selector}
        )
        return replace(joined, rekeyed=node.rekeyed)

    def join_tables(self, node):
        if self.maybe(0.1):
            other = node
        elif self.maybe(0.2):
            other = self.finish(self.add_group(self.stream(node.key)))
        else:
            other = self.table(node.key)
            if self.maybe(0.3):
                other = self.filter(other) if self.has_predicate(other) else self.map_values(other)
        fields = {"materialized": True} if self.maybe(0.4) else {}
        return self.joined(node, other, "table-table", self.one_of("inner", "left", "outer"), fields, "table")

    def join_windowed(self, node):
        """Joins a windowed table with another aggregation of the same windows."""
        if self.step(self.step(node.window)["from"])["op"] == "cogroup":
            return self.suppress(node)
        other = replace(node, id=self.add("agg", "count", **{"from": node.window}), value="int")
        return self.joined(node, other, "table-table", self.one_of("inner", "left", "outer"), {}, "table")

    def join_foreign(self, node):
        """Foreign-key join; the left table should have values of type ref."""
        if node.value == "ref":
            foreign = self.one_of(
                fn("split", of="value", sep="|", index=1, null_values=["none"]),
                fn("split", of="value", sep="|", index=1),
            )
        else:
            foreign = fn("char", of="value", index=0)
        if self.maybe(0.08) and node.key == "str":
            right = node
        else:
            right = self.table("str")
            if self.maybe(0.2):
                right = self.filter(right) if self.has_predicate(right) else self.map_values(right)
        fields = {"foreign_key": foreign}
        if self.maybe(0.4):
            fields["materialized"] = True
        return self.joined(node, right, "table-table-fk", self.one_of("inner", "left"), fields, "table")

    # ---- topologies

    def operator(self, node):
        """Any one operator that fits."""
        if node.kind == "table":
            return self.table_op(node)
        choices = [self.stateless] * 3 + [self.aggregate] * 3 + [self.join_table, self.join_global, self.to_table]
        if not node.window:
            choices += [self.join_streams] * 2
        return self.rng.choice(choices)(node)

    def operators(self, node, count):
        for _ in range(count):
            if self.maybe(0.08):
                self.sink(node)
            node = self.operator(node)
        return node

    def few(self, node, operator, *counts):
        for _ in range(self.one_of(*counts)):
            node = operator(node)
        return node

    def build(self, family):
        node = getattr(self, "family_" + family)()
        self.sink(node)

    def family_stateless(self):
        values = ("str", "int", "num", "ref", "float")
        key, value = self.types(values=values)
        node = self.source("stream", "s", key, value)
        if value == "float":
            node = self.map_values(node)
        return self.few(node, self.stateless, 1, 2, 3, 4)

    def family_ktable_ops(self):
        node = self.table(value=self.one_of("str", "int", "int", "num"))
        for _ in range(self.one_of(1, 2, 3)):
            choices = [self.map_values] + [self.filter] * 2 * self.has_predicate(node)
            node = self.rng.choice(choices)(node)
        if self.maybe(0.3):
            node = self.to_stream(node)
            node = self.to_table(node) if self.maybe(0.5) else node
        return node

    def family_stream_aggregate(self):
        node = self.few(self.stream(), self.stateless, 0, 0, 1, 2)
        node = self.aggregate(node, window=False)
        return self.operators(node, self.one_of(0, 0, 1))

    def family_cogroup(self):
        return self.operators(self.cogroup(self.stream()), self.one_of(0, 0, 1))

    def family_table_aggregate(self):
        node = self.table(value=self.one_of("str", "int", "num", "ref"))
        if self.maybe(0.4):
            node = self.filter(node) if self.has_predicate(node) else self.map_values(node)
        return self.operators(self.table_aggregate(node), self.one_of(0, 0, 1))

    def in_windows(self, window):
        node = self.few(self.stream(), self.stateless, 0, 0, 0, 1)
        return self.operators(self.aggregate(node, window), self.one_of(0, 0, 0, 1))

    def family_windowed_tumbling(self):
        return self.in_windows("tumbling")

    def family_windowed_hopping(self):
        return self.in_windows("hopping")

    def family_windowed_sliding(self):
        return self.in_windows("sliding")

    def family_windowed_session(self):
        return self.in_windows("session")

    def family_windowed_calendar(self):
        hours, self.begins = self.rng.choice(TURNS)
        self.unit = hours * 3_600_000
        node = self.few(self.stream(), self.stateless, 0, 0, 0, 1)
        # on close Kafka Streams takes TimeWindows and SlidingWindows alone
        node = self.cogroup(node, "calendar") if self.maybe(0.2) else self.aggregate(node, "calendar", "on_update")
        node = self.suppress(node, "window_close") if self.maybe(0.4) else node
        return self.few(node, self.map_values, 0, 0, 1)

    def family_stream_stream_join(self):
        node = self.few(self.stream(), self.stateless, 0, 0, 0, 1)
        return self.few(self.join_streams(node), self.operator, 0, 0, 0, 1)

    def family_stream_table_join(self):
        node = self.few(self.stream(), self.stateless, 0, 0, 0, 1)
        return self.few(self.join_table(node), self.operator, 0, 0, 0, 1)

    def family_stream_globaltable_join(self):
        node = self.stream(value=self.one_of("ref", "ref", "str", "int"))
        node = self.few(node, self.stateless, 0, 0, 0, 1)
        return self.few(self.join_global(node), self.operator, 0, 0, 0, 1)

    def family_table_table_join(self):
        node = self.join_tables(self.table())
        return self.few(node, self.table_op, 0, 0, 1) if self.maybe(0.7) else self.join_tables(node)

    def family_table_table_fk_join(self):
        node = self.join_foreign(self.table(value=self.one_of("ref", "ref", "ref", "str")))
        return self.few(node, self.table_op, 0, 0, 1)

    def family_suppress(self):
        if self.maybe(0.6):
            node = self.aggregate(
                self.few(self.stream(), self.stateless, 0, 0, 1), self.one_of(None, "tumbling", "session")
            )
        else:
            node = self.table(versioned=False)
            node = self.table_aggregate(node) if self.maybe(0.6) else node
        if self.maybe(0.3):
            self.sink(node)
        if self.maybe(0.2):
            node = self.filter(node) if self.has_predicate(node) else self.map_values(node)
        until = "window_close" if node.window and self.maybe(0.6) else None
        node = self.suppress(node, until)
        return self.operators(node, self.one_of(0, 0, 1))

    def family_suppress_bytes(self):
        # the length of a repartition topic's name counts: it has that of the grouping, and in ours of what is behind it
        self.prefixes = {"g": "grp", "w": "win"}
        if self.maybe(0.6):
            node = self.grouped(self.stream())
            if self.maybe(0.7):
                node = self.windowed(node, emit="on_update")
            node = self.finish(node)
            if node.value == "text" and self.steps[-1].get("init") == 0:
                self.steps[-1]["init"] = ""  # values of one type are written in its format, and not as JSON
        else:
            node = self.table(versioned=False)
            node = self.table_aggregate(node) if self.maybe(0.4) else node
        if self.maybe(0.3):
            node = self.filter(node) if self.has_predicate(node) and self.maybe(0.5) else self.map_values(node)
        return self.suppress_bytes(node)

    def family_one_group(self):
        """Several aggregates of one group, some of them joined with each other, among other readers of its stream."""
        if self.maybe(0.3):
            node = self.table(value=self.one_of("str", "int", "num", "ref"))
            groups = [self.grouped_rows(node)]
        else:
            node = self.few(self.stream(), self.stateless, 0, 0, 1)
            groups = [self.grouped(node) if self.maybe(0.6) else self.regrouped(node)]
        for _ in range(self.one_of(0, 0, 1, 1, 2)):
            if groups[0].kind == "grouped_stream":
                groups.append(self.windowed(groups[0]))
        if self.maybe(0.2):
            other = self.grouped_rows(node) if groups[0].kind == "grouped_table" else self.regrouped(node)
            groups += [other] if other.key == groups[0].key else []
        tables: list[Node] = []
        for _ in range(self.one_of(2, 2, 3, 3, 4)):
            grouped = self.rng.choice(groups)
            table = self.finish_rows(grouped) if grouped.kind == "grouped_table" else self.finish(grouped)
            if self.maybe(0.25):
                table = self.filter(table) if self.has_predicate(table) and self.maybe(0.5) else self.map_values(table)
            if node.kind == "stream" and self.maybe(0.15):
                self.sink(self.map_values(node))
            tables.append(self.joined_with_one(table, tables) if self.maybe(0.7) else table)
        *others, last = tables
        for each in others:
            self.sink(each)
        return last

    def regrouped(self, node):
        """Groups a stream whose key was changed by its key, as after a repartition."""
        return self.add_group(self.select_key(node))

    def joined_with_one(self, table, tables):
        """A table joined with one of those of the same keys, which leaves them."""
        alike = [each for each in tables if (each.key, each.window) == (table.key, table.window)]
        if not alike:
            return table
        other = self.rng.choice(alike)
        tables.remove(other)
        left, right = (other, table) if self.maybe(0.7) else (table, other)
        fields = {"materialized": True} if self.maybe(0.3) and not table.window else {}
        return self.joined(left, right, "table-table", self.one_of("inner", "left", "outer"), fields, "table")

    def family_one_cogroup(self):
        """Two aggregates of one cogrouped stream."""
        first = self.cogroup(self.stream())
        step = {name: value for name, value in self.steps[-1].items() if name not in ("id", "op")}
        second = replace(first, id=self.add("agg", "aggregate", **step))
        if not first.window and self.maybe(0.7):  # Kafka Streams joins no cogrouped windows
            return self.joined(first, second, "table-table", self.one_of("inner", "left", "outer"), {}, "table")
        self.sink(first)
        return second

    def family_chain(self):
        if self.maybe(0.15):
            # join -> group_by -> windowed aggregate -> suppress
            node = self.few(self.join_streams(self.stream()), self.stateless, 0, 1)
            return self.suppress(self.aggregate(node, self.one_of("tumbling", "hopping", "session", "sliding")))
        node = self.stream() if self.maybe(0.65) else self.table()
        return self.operators(node, self.one_of(2, 3, 3, 4, 5, 6))

    def family_headers(self):
        """A topology of another family; its input records have headers."""
        self.has_headers = True
        return getattr(self, f"family_{self.rng.choice([each for each in FAMILIES if each != 'headers'])}")()

    # ---- inputs

    def value_of(self, kind, i):
        letter = self.rng.choice(STR_KEYS)
        if kind == "str":
            return f"{letter}{self.rng.choice([i, i, i, self.rng.randint(0, 3)])}"
        if kind == "ref":
            return (
                f"{self.rng.choice('xyz')}{i}|{self.rng.choice([*STR_KEYS, 'none'])}" if self.maybe(0.95) else f"x{i}"
            )
        if kind == "num":
            return str(self.rng.randint(-20, 99))
        if kind == "float":
            return self.rng.randint(-40, 40) / 4 + 0.125
        return self.rng.randint(-10, 50)

    def inputs(self):
        rng = self.rng
        keys = {"str": STR_KEYS[: rng.choice([1, 2, 3, 4])], "int": INT_KEYS[: rng.choice([1, 2, 3, 4])]}
        null_key = rng.choice([0, 0.04, 0.1])
        null_value = rng.choice([0, 0.1, 0.1, 0.25])
        disorder = rng.choice([0, 0.15, 0.3, 0.6])
        reach = rng.choice([0.5, 1, 3, 12])
        steps = rng.choice([[0, 0.1, 0.3], [0, 0.25, 0.5, 1], [0.05, 1, 3], [0, 0.1, 0.1, 4]])
        now = self.begins + rng.choice([0, 0, 5 * self.unit])
        records = []
        for i in range(rng.choice([5, 8, 12, 16, 20, 25, 30, 40, 60])):
            topic, key, value, _is_table = rng.choice(self.topics)
            now += int(rng.choice(steps) * self.unit) + rng.choice([0, 0, 1])
            late = rng.random() < disorder
            records.append(
                {
                    "topic": topic,
                    "key": None if rng.random() < null_key else rng.choice(keys[key]),
                    "value": None if rng.random() < null_value else self.value_of(value, i),
                    "timestamp": max(0, now - rng.randint(0, int(reach * self.unit))) if late else now,
                }
            )
        if self.maybe(0.5):  # let windows close at the end
            for topic, key, value, _ in self.topics:
                now += rng.choice([3, 30, 200]) * self.unit
                records.append(
                    {"topic": topic, "key": rng.choice(keys[key]), "value": self.value_of(value, 99), "timestamp": now}
                )
        return self.with_headers(records) if self.has_headers else records

    def with_headers(self, records):
        """Most of them have one that tells which they are, some have another, which may be empty or null."""
        for number, record in enumerate(records):
            headers = [["number", str(number)]] * self.maybe(0.8)
            headers += [["note", self.one_of("a", "", None)]] * self.maybe(0.2)
            if headers:
                record["headers"] = headers
        return records

    # ---- finishing touches

    def reaches_outer_stream_join(self, step_id):
        """Kafka keeps null keys at a repartition if a left or outer join of a stream comes anywhere behind it."""
        for step in self.steps:
            if step["op"] == "join":
                stream_join = step["join_type"].startswith("stream")
                parents = [step["from"]] + (
                    [step["with"]] if step["join_type"] in ("stream-stream", "table-table", "table-table-fk") else []
                )
                if step_id in parents and stream_join and step["kind"] != "inner":
                    return True
            elif step["op"] == "cogroup":
                parents = [x["from"] for x in step["inputs"]]
            else:
                parents = step.get("from", [])
                parents = parents if isinstance(parents, list) else [parents]
            if step_id in parents:
                ids = [b["id"] for b in step["branches"]] if step["op"] == "split" else [step["id"]]
                if any(self.reaches_outer_stream_join(x) for x in ids):
                    return True
        return False

    def case(self, family, name, source):
        self.build(family)
        for step in self.steps:
            if step["op"] == "repartition":
                step["keep_null_keys"] = self.reaches_outer_stream_join(step["id"])
        inputs = self.inputs()
        ops = [s["op"] for s in self.steps if s["op"] not in ("stream", "table", "global_table", "to", "to_stream")]
        return {
            "name": name,
            "source": source,
            "description": " -> ".join(ops) or "source to sink",
            "features": self.features(inputs),
            "topology": self.steps,
            "inputs": inputs,
        }

    def features(self, inputs):
        tables = {t for t, _, _, is_table in self.topics if is_table}
        joins = [s for s in self.steps if s["op"] == "join"]
        newest, seen, found = -1, set(), set()
        for r in inputs:
            found |= {"out-of-order"} if r["timestamp"] < newest else set()
            newest = max(newest, r["timestamp"])
            found |= {"null-key"} if r["key"] is None else set()
            found |= {"tombstone" if r["topic"] in tables else "null-value"} if r["value"] is None else set()
            row = json.dumps([r[x] for x in ("topic", "key", "value", "timestamp")])
            found |= {"duplicates"} if row in seen else set()
            seen.add(row)
        for feature, present in (
            ("emit-on-close", any(s.get("emit") == "on_close" for s in self.steps)),
            ("foreign-key", any(j["join_type"] == "table-table-fk" for j in joins)),
            ("versioned", any(s.get("versioned") for s in self.steps)),
            ("cogroup", any(s["op"] == "cogroup" for s in self.steps)),
            ("grace", any(s.get("grace_ms") for s in self.steps)),
            ("multi-join", len(joins) > 1),
            ("repartition", any(s["op"] in ("repartition", "group_by") for s in self.steps)),
            ("self-join", any(j["from"] == j["with"] for j in joins)),
            ("buffer", any(s["op"] == "suppress" for s in self.steps)),
            ("legacy", any(s.get("spurious_fix") is False for s in self.steps)),
            ("fan-out", self.sinks > 1),
            ("headers", self.has_headers),
        ):
            found |= {feature} if present else set()
        return sorted(found)


FAMILIES = sorted(name.removeprefix("family_") for name in dir(Generator) if name.startswith("family_"))


def candidate(seed: str, family: str, number: int) -> dict[str, Any]:
    """The same arguments give the same case."""
    rng = random.Random(f"{seed}/{family}/{number}")
    made: dict[str, Any] = Generator(rng).case(
        family, f"random_{family}_s{seed}_{number}", f"candidates.py#seed-{seed}-{family}-{number}"
    )
    return made
