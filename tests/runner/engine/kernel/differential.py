"""Random topologies, records, bytes and expressions, in both engines: what one gives, the other must give.

`python -m tests.runner.engine.kernel.differential SEED COUNT [KIND]` runs as many cases as are wanted. `topologies` is
the kind if none is named. `bytes` draws formats, types and bytes for the decoders, `avro`,
`protobuf` and `json_schema` schemas of writers and of readers, and `functions` calls of each function with edge values.
"""

from __future__ import annotations

import random
import struct as struct_
import sys
from collections.abc import Callable, Sequence
from typing import Any, Literal

import orjson

from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Kind, Type, decimal, struct
from runner import kernel
from runner.engine.stores.state import MemoryState
from tests.runner.engine.kernel import messages, schemas
from tests.runner.graph_builder import GraphBuilder
from tests.runner.kernel_driver import KernelDriver

ORDER = struct(
    id=STRING,
    amount=DOUBLE,
    count=INTEGER,
    flag=BOOLEAN,
    inner=struct(name=STRING, size=INTEGER),
    items=Type(Kind.LIST, item=STRING),
    free=ANY,
    price=decimal(10, 2),
    rate=decimal(38, 6),
)
TEXTS = [
    "",
    "a",
    "A b",
    "ä€",
    "\U0001f600x",
    "a|b|c",
    "  a ",
    "%_",
    'q"\\',
    "\n\t\x01",
    "12",
    "-7",
    "3.5",
    "true",
    "x" * 40,
]
INTEGERS = [0, 1, -1, 2, 5, 7, 100, 2**31, 2**53, 2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63)]
DOUBLES = [
    0.0,
    -0.0,
    0.1,
    1.5,
    2.5,
    -2.5,
    100.0,
    1e-7,
    1e7,
    1e16,
    1e21,
    1e300,
    1.7976931348623157e308,
    5e-324,
    0.30000000000000004,
]
TIME_FORMATS = ["'yyyy-MM-dd HH:mm:ss.SSS'", "'dd/MM ''yyyy'' '", "\"'T'HH' o''clock {0}'\""]
TIME_PARTS = ["year", "quarter", "month", "day", "hour", "minute", "second", "dayofyear", "dayofweek", "weekday"]
TIME_PARTS += ["weekofyear", "unix_seconds", "unix_millis"]
UNITS = ["second", "MINUTE", "Hour", "day", "WEEK", "month", "QUARTER", "year"]
BROKEN = [
    *(
        b"",
        b"{",
        b"[1,]",
        b'{"id":1}',
        b'{"amount":"x"}',
        b'{"count":1.5}',
        b"\xff\xfe",
        b'{"id":"\\ud800"}',
        b"null",
        b"3",
    ),
    *(b'{"amount":5e-392233720368547758084,"free":{}}', b'{"free":{"\\u0000":"\xf0\x9f\x98\x80"}}'),
    *(b'{"rate":1e-7}', b'{"price":1.001}', b'{"price":"1.5"}', b'{"price":-0}', b'{"price":100000000}'),
    *(b'{"amount":1e999}', b'{"id":"a","id":"b"}', b'{"count":9223372036854775808}', b'{"free":1.50}', b'{"free":-0}'),
    *(
        b'{"amount":-0}',
        b'{"amount":1E5,"count":-0}',
        b'{"free":{"a":[1,2.0,{"b":null}]}}',
        b' {"id" : "a"} ',
        b"\xef\xbb\xbf{}",
    ),
    *(
        b'{"amount":01}',
        b'{"amount":1.}',
        b'{"id":"\\u0041\\/"}',
        b'{"id":"\\x"}',
        b"{}",
        b'{"more":1,"id":"z"}',
        b"[" * 300,
    ),
    *(
        b'{"\\u0000":"x"}',
        b'{"amount":123456789012345678901234567890}',
        b'{"free":1e400}',
        b'{"free":18446744073709551615}',
    ),
]
"""Bytes that one engine might read otherwise than the other."""


class Chance(random.Random):
    """Draws values, expressions and topologies."""

    def draw_value(self) -> bytes | None:
        """The bytes of a value: mostly an order."""
        if self.random() < 0.05:
            return None
        if self.random() < 0.12:
            return self.choice(BROKEN)
        members: dict[str, Any] = {
            "id": self.choice([None, *TEXTS]),
            "amount": self.choice([None, 1, *DOUBLES, round(self.uniform(-50, 50), 2)]),
            "count": self.choice([None, *INTEGERS, self.randrange(5)]),
            "flag": self.choice([None, True, False]),
            "inner": self.choice([None, {"name": self.choice(TEXTS), "size": self.choice([None, *INTEGERS])}, {}]),
            "items": self.choice([None, [], ["a"], ["b", None, "ä"]]),
            "price": self.choice([None, 0, 1, 0.5, -2.25, 1.5, 99999999.99, 12345678]),
            "rate": self.choice([None, 0, 1.5, -0.25, 123456789012345, 0.000123]),
            "free": self.choice([None, 1, 2.5, "t", [1, "x"], {"b": 1, "a": [True]}, {}]),
        }
        if self.random() < 0.3:
            members = {name: members[name] for name in self.sample(sorted(members), self.randrange(len(members)))}
        if self.random() < 0.1:
            members["extra"] = self.choice([1, 2.5, "x", None, [0.1]])
        data = orjson.dumps(members)
        if self.random() < 0.03:
            place = self.randrange(len(data))
            data = data[:place] + bytes([self.randrange(256)]) + data[place + 1 :]
        return data

    def draw_key(self) -> bytes | None:
        """The bytes of a key of text."""
        return self.choice([None, b"", *(b"k%d" % number for number in range(6)), "ä".encode(), b"\xff"])

    def draw_text(self, depth: int = 2) -> str:
        """An expression that gives text."""
        leaves = ["id", "inner.name", "key", "'a'", "''", "'|'", "NULL", "items[0]", "'2024-02-29T23:59:59.5+05:30'"]
        return self._draw(
            depth,
            leaves,
            [
                lambda: f"upper({self.draw_text(depth - 1)})",
                lambda: f"lower({self.draw_text(depth - 1)})",
                lambda: f"trim({self.draw_text(depth - 1)})",
                lambda: f"({self.draw_text(depth - 1)} || {self.draw_text(depth - 1)})",
                lambda: f"concat({self.draw_text(depth - 1)}, {self.draw_integer(0)}, {self.draw_double(depth - 1)})",
                lambda: f"concat_ws('-', {self.draw_text(depth - 1)}, {self.draw_text(depth - 1)})",
                lambda: f"substring({self.draw_text(depth - 1)}, {self.draw_small()}, {self.draw_small()})",
                lambda: f"left({self.draw_text(depth - 1)}, {self.draw_small()})",
                lambda: f"right({self.draw_text(depth - 1)}, {self.draw_small()})",
                lambda: f"lpad({self.draw_text(depth - 1)}, {self.draw_small()}, 'xy')",
                lambda: f"rpad({self.draw_text(depth - 1)}, {self.draw_small()})",
                lambda: f"replace({self.draw_text(depth - 1)}, 'a', 'bb')",
                lambda: f"split_part({self.draw_text(depth - 1)}, '|', {self.draw_small()})",
                lambda: f"substring_index({self.draw_text(depth - 1)}, '|', {self.draw_small()})",
                lambda: f"reverse({self.draw_text(depth - 1)})",
                lambda: f"typeof({self.draw_any()})",
                lambda: f"to_json({self.draw_any()})",
                lambda: f"get({self.draw_list(depth - 1)}, {self.draw_small()})",
                lambda: f"try_element_at({self.draw_list(depth - 1)}, {self.draw_small()})",
                lambda: f"to_iso({self.draw_time(depth - 1)})",
                lambda: f"date_format({self.draw_time(depth - 1)}, {self.choice(TIME_FORMATS)})",
                lambda: f"CAST({self.draw_integer(depth - 1)} AS STRING)",
                lambda: f"CAST({self.draw_double(depth - 1)} AS STRING)",
                lambda: (
                    f"if({self.draw_condition(depth - 1)}, {self.draw_text(depth - 1)}, {self.draw_text(depth - 1)})"
                ),
                lambda: f"coalesce({self.draw_text(depth - 1)}, {self.draw_text(depth - 1)}, 'z')",
                lambda: f"greatest({self.draw_text(depth - 1)}, {self.draw_text(depth - 1)})",
                lambda: f"nullif({self.draw_text(depth - 1)}, 'a')",
                lambda: f"CASE {self.draw_text(depth - 1)} WHEN 'a' THEN 'one' WHEN id THEN 'two' ELSE key END",
            ],
        )

    def draw_integer(self, depth: int = 2) -> str:
        """An expression that gives an integer."""
        leaves = ["count", "inner.size", "timestamp", "3", "0", "-1", "9223372036854775807"]
        return self._draw(
            depth,
            leaves,
            [
                lambda: f"({self.draw_integer(depth - 1)} {self.choice('+-*')} {self.draw_integer(depth - 1)})",
                lambda: f"({self.draw_integer(depth - 1)} {self.choice(['%', 'div'])} {self.draw_integer(depth - 1)})",
                lambda: f"(-{self.draw_integer(depth - 1)})",
                lambda: f"abs({self.draw_integer(depth - 1)})",
                lambda: f"length({self.draw_text(depth - 1)})",
                lambda: f"size({self.draw_list(depth - 1)})",
                lambda: f"size({self.choice(['items', 'inner', 'free'])})",
                lambda: f"{self.choice(TIME_PARTS)}({self.draw_time(depth - 1)})",
                lambda: f"date_trunc('{self.choice(UNITS)}', {self.draw_time(depth - 1)})",
                lambda: f"try_to_timestamp_ms({self.choice(['id', self.draw_iso()])})",
                lambda: f"timestamp_seconds({self.choice([self.draw_integer(0), self.draw_double(0)])})",
                lambda: f"instr({self.draw_text(depth - 1)}, {self.draw_text(depth - 1)})",
                lambda: f"locate('a', {self.draw_text(depth - 1)}, {self.draw_small()})",
                lambda: f"ascii({self.draw_text(depth - 1)})",
                lambda: f"ceil({self.draw_double(depth - 1)})",
                lambda: f"floor({self.draw_double(depth - 1)})",
                lambda: f"CAST({self.draw_text(depth - 1)} AS BIGINT)",
                lambda: f"TRY_CAST({self.draw_double(depth - 1)} AS BIGINT)",
                lambda: f"least({self.draw_integer(depth - 1)}, {self.draw_integer(depth - 1)})",
            ],
        )

    def draw_double(self, depth: int = 2) -> str:
        """An expression that gives a double."""
        leaves = ["amount", "1.5", "0.0", "1e300", "-2.5"]
        return self._draw(
            depth,
            leaves,
            [
                lambda: f"({self.draw_double(depth - 1)} {self.choice('+-*/%')} {self.draw_double(depth - 1)})",
                lambda: f"({self.draw_integer(depth - 1)} / {self.draw_integer(depth - 1)})",
                lambda: f"({self.draw_integer(depth - 1)} * {self.draw_double(depth - 1)})",
                lambda: f"(-{self.draw_double(depth - 1)})",
                lambda: f"abs({self.draw_double(depth - 1)})",
                lambda: f"sign({self.draw_double(depth - 1)})",
                lambda: f"sqrt({self.draw_double(depth - 1)})",
                lambda: f"try_divide({self.draw_integer(depth - 1)}, {self.draw_integer(depth - 1)})",
                lambda: f"nanvl({self.draw_double(depth - 1)}, 1)",
                lambda: f"CAST({self.draw_integer(depth - 1)} AS DOUBLE)",
                lambda: f"greatest({self.draw_double(depth - 1)}, {self.draw_double(depth - 1)})",
            ],
        )

    def kinds(self) -> list[Callable[[int], str]]:
        """What draws expressions of a type that has an order."""
        return [self.draw_text, self.draw_integer, self.draw_double, self.draw_decimal]

    def draw_decimal(self, depth: int = 2) -> str:
        """An expression that gives a decimal."""
        leaves = ["price", "rate", "1.50BD", "-3BD", "0.000001BD", "99999999999999999999999999999999999999BD"]
        either = [self.draw_decimal, self.draw_integer]
        return self._draw(
            depth,
            leaves,
            [
                lambda: f"({self.draw_decimal(depth - 1)} {self.choice('+-*')} {self.choice(either)(depth - 1)})",
                lambda: f"({self.draw_integer(0)} {self.choice('*/')} {self.draw_decimal(depth - 1)})",
                lambda: f"({self.draw_decimal(depth - 1)} / {self.choice(either)(depth - 1)})",
                lambda: f"(-{self.draw_decimal(depth - 1)})",
                lambda: f"coalesce({self.draw_decimal(depth - 1)}, {self.draw_decimal(depth - 1)})",
                lambda: f"CASE WHEN {self.draw_condition(0)} THEN price ELSE {self.draw_decimal(depth - 1)} END",
            ],
        )

    def draw_condition(self, depth: int = 2) -> str:
        """An expression that gives true, false or null."""
        leaves = ["flag", "TRUE", "NULL", "count > 1", "amount >= 2"]
        kind = self.choice(self.kinds())
        return self._draw(
            depth,
            leaves,
            [
                lambda: (
                    f"({kind(depth - 1)} {self.choice(['=', '<>', '<', '<=', '>', '>=', '<=>'])} {kind(depth - 1)})"
                ),
                lambda: f"({self.draw_integer(depth - 1)} < {self.draw_double(depth - 1)})",
                lambda: f"({self.draw_condition(depth - 1)} AND {self.draw_condition(depth - 1)})",
                lambda: f"({self.draw_condition(depth - 1)} OR {self.draw_condition(depth - 1)})",
                lambda: f"(NOT {self.draw_condition(depth - 1)})",
                lambda: f"({kind(depth - 1)} IS NULL)",
                lambda: f"({self.draw_condition(depth - 1)} IS NOT TRUE)",
                lambda: f"({kind(depth - 1)} IN ({kind(0)}, {kind(0)}))",
                lambda: f"({kind(depth - 1)} BETWEEN {kind(depth - 1)} AND {kind(0)})",
                lambda: (
                    f"({self.draw_text(depth - 1)} LIKE {self.choice(['%', 'a%', '%b', '_', '%a%', 'a_%b', ''])!r})"
                ),
                lambda: f"startswith({self.draw_text(depth - 1)}, {self.draw_text(depth - 1)})",
                lambda: f"contains({self.draw_text(depth - 1)}, 'a')",
                lambda: f"isnan({self.draw_double(depth - 1)})",
                lambda: "(free = 1)",
                lambda: "(free.b > 0)",
            ],
        )

    def draw_time(self, depth: int) -> str:
        """An expression that gives milliseconds, mostly of the years 1 to 9999."""
        return (
            self.draw_integer(depth)
            if self.random() < 0.3
            else str(self.randrange(-62_200_000_000_000, 253_500_000_000_000))
        )

    def draw_iso(self) -> str:
        """A text that is like a time."""
        numbers = self.choice(
            ["2024-02-29", "2023-02-29", "1900-12-31", "0000-01-01", "9999-12-31", "2024-2-3", " 0001-01-01"]
        )
        clock = self.choice(["", "T10:11", " 23:59:60", "t00:00:00.1234567890", "T01:02:03,45", "T24:00"])
        zone = self.choice(["", "Z", "z ", " +05", "-0530", "+05:30:15", "+99:99", "+5", " "])
        return f"'{numbers}{clock}{zone}'"

    def draw_list(self, depth: int) -> str:
        """An expression that gives a list of texts."""
        by = self.choice(["'|'", "' '", "'a'", "', '", "'ä'"])
        limit = self.choice(["", "", ", 2", ", 0", ", -1", ", 1"])
        numbers = f"{self.draw_small()}, {self.choice([self.draw_small(), self.draw_integer(0)])}"
        sequence = f"sequence({numbers}{self.choice(['', f', {self.draw_small()}'])})"
        split, made = f"split({self.draw_text(depth)}, {by}{limit})", f"array({self.draw_text(0)}, 'b')"
        return self.choice(["items", split, split, made, f"array(to_json({sequence}))"])

    def draw_small(self) -> str:
        return str(self.randrange(-3, 6))

    def draw_any(self) -> str:
        """An expression of any type."""
        more = [
            "parse_json(id)",
            "parse_json(to_json(free))",
            "free",
            "free.b",
            "inner",
            "items",
            "named_struct('x', id, 'y', count)",
            "value",
            "array(count, id)",
        ]
        return self.choice([*self.kinds(), self.draw_condition])(2) if self.random() < 0.8 else self.choice(more)

    def _draw(self, depth: int, leaves: list[str], branches: list[Callable[[], str]]) -> str:
        return self.choice(leaves) if depth <= 0 or self.random() < 0.25 else self.choice(branches)()


LISTS = ["items", "array()", "array(1, NULL)", "sequence(1, 3)", "split(id, '|')", "array(inner, items)"]


def draw_topology(chance: Chance) -> GraphBuilder:
    """A stream with some steps, an aggregation or a join, and a sink."""
    builder, last = GraphBuilder().stream("orders", ORDER), "orders"
    for number in range(chance.randrange(1, 4)):
        step, name = chance.randrange(11), f"s{number}"
        if step == 0:
            builder.add(
                name, chance.choice(["filter", "filter_not"]), {"predicate": chance.draw_condition()}, records=last
            )
        elif step in (1, 2):
            names = {"out1": chance.draw_any(), "out2": chance.draw_any(), "id": chance.draw_text()}
            listed = [{"name": field, "expression": text} for field, text in names.items()]
            builder.add(name, "map_values", {"keep": True, "fields": listed}, records=last)
        elif step == 6:
            builder.add(name, "peek", {"message": chance.choice([None, "id"])}, stream=last)
        elif step == 5:
            config = {"by": chance.choice([None, chance.draw_any()]), "within_ms": chance.choice([1, 500, 3_000])}
            builder.add(name, "deduplicate", config, stream=last)
        elif step == 7:
            listed = [{"name": "item", "expression": chance.choice(["item", "index", "to_json(item)"])}]
            flattened = {"values": chance.choice(LISTS), "keep": True, "fields": listed}
            builder.add(name, "flat_map_values", flattened, stream=last)
        elif step == 8:
            config = {"items": chance.choice(LISTS), "key": chance.choice(["key", "'k' || index"]), "value": "value"}
            builder.add(name, "flat_map", {**config, "key_format": "string"}, stream=last)
        elif step == 9:
            shape = {"keep": True, "fields": [{"name": "made", "expression": chance.draw_any()}]}
            builder.add(name, "map", {"key": chance.draw_text(), "key_format": "string", **shape}, stream=last)
        elif step == 10:
            builder.add(name, "repartition", stream=last)
        elif step == 3:
            builder.add(name, "select_key", {"key": chance.draw_text(), "key_format": "string"}, stream=last)
        else:
            branches = [{"name": "one", "predicate": chance.draw_condition()}, {"name": "two", "predicate": "flag"}]
            builder.add(name, "split", {"branches": branches}, stream=last)
            builder.to(f"two{number}", f"{name}:two")
            name += ":" + chance.choice(["one", "default"])
        last = name
    match chance.randrange(11):
        case 10:
            return _draw_join_by_foreign_key(chance, builder, last)
        case 8:
            return _draw_versioned_table(chance, builder, last)
        case 9:
            return _draw_computed_tables(chance, builder, last)
        case 7:
            return _draw_grouped_table(chance, builder, last)
        case 4:
            return _draw_join_of_tables(chance, builder, last)
        case 6:
            return _draw_join_of_streams(chance, builder, last)
        case 0 | 1:
            return builder.to("out", last)
        case 2:
            builder.add("t", "to_table", {"store": "rows", "ttl_ms": chance.choice(TIMES_TO_LIVE)}, stream=last)
            builder.add("f", "filter", {"predicate": chance.draw_condition()}, records="t")
            builder.add("u", "to_stream", table="f").add("few", "filter", {"predicate": "flag"}, records="orders")
            builder.add("other", "to_table", stream="few")
            builder.add("j", chance.choice(["left_join", "join"]), {"value": "right"}, left="u", right="other")
            return builder.to("out", "u").to("joined", "j")
        case 3:
            builder.add("t", "to_table", {"ttl_ms": chance.choice(TIMES_TO_LIVE)}, stream="orders")
            listed = [{"name": "a", "expression": "left.id"}, {"name": "b", "expression": "right.count"}]
            builder.add("j", chance.choice(["left_join", "join"]), {"fields": listed}, left=last, right="t")
            return builder.to("out", "j")
        case _:
            return _draw_aggregation(chance, builder, last)


def _draw_grouped_table(chance: Chance, builder: GraphBuilder, last: str) -> GraphBuilder:
    key = chance.choice(["count", "id", "flag", "named_struct('a', inner, 'b', count)", chance.draw_text(1)])
    shape = chance.choice([{}, {"value": "named_struct('n', count, 'x', amount)"}, {"value": "count"}])
    builder.add("t", "to_table", {"store": chance.choice([None, "rows"])}, stream=last)
    builder.add("g", "group_by", {"key": key, **shape}, records="t")
    listed = [{"name": "n", "function": "count"}]
    if shape.get("value") == "count":
        listed += [
            {"name": f, "function": f, "expression": "value"} for f in ("sum", "avg", "min", "max", "first", "last")
        ]
    hows: list[tuple[str, dict[str, Any]]] = [
        ("count", {}),
        ("reduce", {"add": "value", "subtract": chance.choice(["agg", "NULL", "value"])}),
        ("aggregate", {"init": "0", "add": "agg + 1", "subtract": "nullif(agg - 1, 0)"}),
        ("aggregate", {"functions": listed}),
    ]
    builder.add("n", *chance.choice(hows), grouped="g")
    return builder.updates_to("out", "n")


def _draw_versioned_table(chance: Chance, builder: GraphBuilder, last: str) -> GraphBuilder:
    history = {"history_ms": chance.choice([0, 500, 3_000, 100_000])}
    reading = {"topic": "orders", "key_format": "string", "value_format": "json", "value_type": ORDER.to_json()}
    builder.add("t", "table", reading | history)
    builder.add("f", "filter", {"predicate": chance.draw_condition(1)}, records="t")
    table = chance.choice(["t", "f"])
    shape = {"fields": [{"name": "a", "expression": "left.id"}, {"name": "b", "expression": "right.count"}]}
    waiting = {"grace_ms": chance.choice([None, 0, min(400, history["history_ms"]), history["history_ms"]])}
    builder.add("j", chance.choice(["left_join", "join"]), {**shape, **waiting}, left=last, right=table).to("out", "j")
    builder.add("stored", "map_values", {"value": "count", "store": chance.choice([None, "counts"])}, records=table)
    builder.updates_to("values", "stored").updates_to("rows", table)
    builder.add("g", "group_by", {"key": chance.choice(["id", "flag"])}, records=table)
    builder.add("n", "count", grouped="g")
    builder.add("other", "to_table", stream=last)
    builder.add("both", chance.choice(["join", "left_join", "outer_join"]), shape, left=table, right="other")
    return builder.updates_to("counts", "n").updates_to("joined", "both")


def _draw_computed_tables(chance: Chance, builder: GraphBuilder, last: str) -> GraphBuilder:
    """Tables without a store that others look up: filtered, joined, held back, and of windows."""
    builder.add("g", "group_by_key", stream=last)
    window = chance.choice([None, *WINDOWS])
    if window:
        builder.add("w", "windowed_by", {**window, "grace_ms": chance.choice([0, 300])}, grouped="g")
    grouped = "w" if window else "g"
    builder.add("one", "count", grouped=grouped)
    builder.add("two", "reduce", {"add": chance.choice(["value", "agg"])}, grouped=grouped)
    limit = chance.choice([{"max_bytes": 200}, {"max_bytes": 1_000, "wait_ms": 500}, {"wait_ms": 300}])
    builder.add("held", "suppress", {"until": "time_limit", "buffer_full": "emit_early", **limit}, table="two")
    builder.add("few", "filter", {"predicate": chance.choice(["value > 1", "value IS NULL", "TRUE"])}, records="one")
    builder.add("some", chance.choice(["filter", "filter_not"]), {"predicate": "value IS NULL"}, records="held")
    left, right = chance.choice(["one", "few", "some"]), chance.choice(["held", "held", "some"])
    shape = {"value": "named_struct('l', left, 'r', right)"}
    builder.add("j", chance.choice(["join", "left_join", "outer_join"]), shape, left=left, right=right)
    builder.add("k", chance.choice(["join", "left_join", "outer_join"]), shape, left="j", right="two")
    form = {"windowed_key": chance.choice(["json", "kafka", "key"])} if window else {}
    return builder.updates_to("out", "k").to("held-out", "k-updates", **form)


def _draw_join_of_streams(chance: Chance, builder: GraphBuilder, last: str) -> GraphBuilder:
    builder.add("f", "filter", {"predicate": chance.draw_condition(1)}, records="orders")
    window = {"before_ms": chance.choice([-50, 0, 300]), "after_ms": chance.choice([50, 100, 700])}
    window["grace_ms"] = chance.choice([0, 500, 5_000])
    shape = chance.choice([{"value": "left"}, {"value": "right"}, {"value": "named_struct('l', left, 'r', right)"}])
    kind = chance.choice(["join", "left_join", "outer_join"])
    eager = {"eager": kind != "join" and chance.random() < 0.2}
    sides = chance.sample([last, "f", "orders"], 2)
    builder.add("j", kind, {**window, **shape, **eager}, left=sides[0], right=sides[1])
    return builder.to("out", "j")


def _draw_join_of_tables(chance: Chance, builder: GraphBuilder, last: str) -> GraphBuilder:
    builder.add("t", "to_table", {"store": "rows"}, stream=last)
    builder.add("g", "group_by_key", stream="orders").add("n", "count", grouped="g")
    builder.add("f", "filter", {"predicate": chance.draw_condition(1), "store": "few"}, records="t")
    sides = chance.sample(["t", "n", "f"], 2)
    for number, kind in enumerate(("join", "left_join", "outer_join")):
        shape = chance.choice([{"value": "left"}, {"value": "right"}, {"value": "named_struct('l', left, 'r', right)"}])
        store = chance.choice([None, f"joined{number}"])
        builder.add(f"j{number}", kind, {**shape, "store": store}, left=sides[0], right=sides[1])
        builder.updates_to(f"out{number}", f"j{number}")
    return builder


def _draw_join_by_foreign_key(chance: Chance, builder: GraphBuilder, last: str) -> GraphBuilder:
    """Tables of one topic, which name each other's rows or their own."""
    builder.add("t", "to_table", {"store": chance.choice([None, "rows"])}, stream=last)
    builder.add("f", "filter", {"predicate": chance.draw_condition(1)}, records="t")
    builder.add("g", "group_by_key", stream="orders").add("n", "count", grouped="g")
    keys = ["id", "'k' || count", "if(flag, key, 'k' || count)", "'k' || CAST(price AS STRING)", chance.draw_text(1)]
    shape = chance.choice([{"value": "left"}, {"value": "right"}, {"value": "named_struct('l', left, 'r', right)"}])
    config = {"foreign_key": chance.choice(keys), "store": chance.choice([None, "joined"]), **shape}
    left, right = chance.choice(["t", "f"]), chance.choice(["t", "f", "n"])
    builder.add("j", chance.choice(["join", "left_join"]), config, left=left, right=right)
    again = {"foreign_key": "'k' || coalesce(length(key), 0)", "value": "named_struct('l', left, 'r', right)"}
    builder.add("k", chance.choice(["join", "left_join"]), again, left="j", right=chance.choice(["t", "n"]))
    return builder.updates_to("out", "j").updates_to("again", "k")


TIMES_TO_LIVE = [None, None, 1, 400, 3_000, 900_000_000]
WINDOWS: list[dict[str, Any]] = [
    {"type": "tumbling", "size_ms": 1_000},
    {"type": "hopping", "size_ms": 1_000, "advance_ms": 300},
    {"type": "sliding", "difference_ms": 600},
    {"type": "session", "gap_ms": 150},
    {"type": "calendar", "unit": "day", "zone": "Pacific/Apia", "count": 2},
    {"type": "calendar", "unit": "week", "zone": "Europe/Berlin", "start_hour": 2},
]


def _draw_aggregation(chance: Chance, builder: GraphBuilder, last: str) -> GraphBuilder:
    builder.add("g", "group_by_key", stream=last)
    grouped = "g"
    window = chance.choice([None, *WINDOWS])
    is_cogroup = chance.random() < 0.2
    if is_cogroup:
        builder.add("h", "group_by_key", stream="orders")
        adds = [{"name": "a", "add": "agg + coalesce(count, 1)"}, {"name": "b", "add": "if(flag, NULL, agg)"}]
        builder.add("cogroup", "cogroup", {"inputs": adds}, a="g", b="h")
        grouped = "cogroup"
    if window:
        more: dict[str, Any] = {"grace_ms": chance.choice([0, 200, 3_000])}
        if chance.random() < 0.4:
            more |= {"emit": "on_close", "store_type": chance.choice(["persistent", "in_memory"])}
        builder.add("w", "windowed_by", {**window, **more}, grouped=grouped)
        grouped = "w"
    functions = [{"name": "n", "function": "count"}]
    for name, of in (
        ("sum", "count"),
        ("avg", "amount"),
        ("min", "id"),
        ("max", "amount"),
        ("first", "id"),
        ("last", "count"),
        *[(name, chance.choice(["price", "rate"])) for name in chance.sample(["sum", "avg", "min", "max", "first"], 2)],
    ):
        if chance.random() < 0.5:
            functions.append({"name": f"{name}_{of}", "function": name, "expression": of})
    how = chance.randrange(4)
    life = {"ttl_ms": None if window else chance.choice(TIMES_TO_LIVE)}
    merge = {"merge": "agg + other"} if window and window["type"] == "session" else {}
    if is_cogroup:
        builder.add("a", "aggregate", {"init": "0", **merge, **life}, grouped=grouped)
    elif how == 0:
        builder.add("a", "count", life, grouped=grouped)
    elif how == 1:
        add = chance.choice(["value", "agg", "if(count > 1, value, agg)"])
        builder.add("a", "reduce", {"add": add, **life}, grouped=grouped)
    elif how == 2:
        config = {"init": "0", "add": "agg + coalesce(count, 1)", **merge, **life}
        builder.add("a", "aggregate", config, grouped=grouped)
    else:
        builder.add("a", "aggregate", {"functions": functions, **life}, grouped=grouped)
    if chance.random() < 0.3:
        suppress: dict[str, Any] = {"until": "time_limit", "wait_ms": chance.choice([0, 100, 2_000])}
        suppress |= chance.choice([{}, {"max_records": 2}])
        builder.add(
            "s", "suppress", {"until": "window_close"} if window and chance.random() < 0.5 else suppress, table="a"
        )
        return builder.updates_to("out", "s")
    return builder.updates_to("out", "a")


Headers = dict[str, bytes | None]
Record = tuple[bytes | None, bytes | None, int] | tuple[bytes | None, bytes | None, int, Headers]


def run_case(seed: str) -> Literal["kernel", "python"]:
    """Runs one case in both engines, and moves the kernel's job to Python for some batches. Says where it ran.

    Raises AssertionError with the seed if they differ.
    """
    chance = Chance(seed)
    drivers = _draw_drivers(chance, lambda: draw_topology(chance))
    stretch = chance.choice([1, 1, 1, 300_000])
    for _ in range(chance.randrange(1, 5)):
        drivers[0].move_to("python" if chance.random() < 0.2 else "kernel")
        count = chance.randrange(1, 40)
        rows = [(chance.draw_key(), chance.draw_value(), chance.randrange(-5, 6_000) * stretch) for _ in range(count)]
        if chance.random() < 0.4:
            rows = [(key, value, time) for key, value, time in rows if value not in BROKEN]
        _pipe_and_compare(seed, drivers, rows)
    return "kernel" if drivers[0].rows_in_kernel else "python"


def _draw_drivers(chance: Chance, draw: Callable[[], GraphBuilder], **more: Any) -> tuple[KernelDriver, KernelDriver]:
    """The same topology, which passes the checks, in the kernel and in the Python engine."""
    options: dict[str, Any] = {"cache": chance.random() < 0.5, "wall_clock": lambda: 7, **more}
    while True:
        builder = draw()
        try:
            return KernelDriver(builder.graph, **options), KernelDriver(builder.graph, engine="python", **options)
        except Exception:  # an expression that the check refuses
            continue


def _pipe_and_compare(seed: str, drivers: tuple[KernelDriver, KernelDriver], rows: Sequence[Record]) -> None:
    """Gives a batch to both drivers. Raises AssertionError if anything that can be seen differs."""
    for driver in drivers:
        with driver.batch():
            for key, value, time, *more in rows:
                headers = {**({"h": b"\x00\xff"} if time % 3 == 0 else {}), **(more[0] if more else {})}
                driver.pipe_bytes("orders", key, value, time, headers or None)
    one, other = drivers
    for what in ("rows", "dead_letters", "count_passed", "drops"):
        found = [getattr(driver, what)() for driver in drivers]
        assert found[0] == found[1], f"seed {seed}, {what}:\n{one.layout.graph}\n{found[0]}\n{found[1]}"
    assert isinstance(one.state, MemoryState) and isinstance(other.state, MemoryState)
    assert one.state.values == other.state.values, f"seed {seed}: state"


SCHEMA_PARTS = ("value_format", "value_schema", "value_message")
SCALARS = [STRING, DOUBLE, INTEGER, BOOLEAN, ANY, decimal(4, 2), decimal(38, 10)]
FORMATS = {"string": STRING, "long": INTEGER, "integer": INTEGER, "double": DOUBLE, "boolean": BOOLEAN}
FORMATS |= {"bytes": Type(Kind.BYTES)}
TOKENS = [
    b'"',
    b"\\",
    b"\\u",
    b"d800",
    b"\\ud83d\\ude00",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"tru",
    b"-",
    b"0",
    b".",
    b"e9",
]
TOKENS += [
    b"1e400",
    b"9223372036854775807",
    b"9223372036854775808",
    b"-0.0",
    b"\x00",
    b"\xff",
    b"\xc3\xa4",
    b"\xed\xa0\x80",
    b" ",
    b'"a":',
]
"""Pieces that mutations put into bytes."""


def draw_type(chance: Chance, depth: int = 2) -> Type:
    """A type of JSON values."""
    match chance.randrange(6) if depth else 0:
        case 1:
            return Type(Kind.LIST, item=draw_type(chance, depth - 1))
        case 2:
            return Type(Kind.MAP, item=draw_type(chance, depth - 1))
        case 3 | 4:
            names = chance.sample(["a", "b", "ab", "\u00e4", 'q"', "c"], chance.randrange(1, 5))
            return struct(**{name: draw_type(chance, depth - 1) for name in names})
    return chance.choice(SCALARS)


def draw_json(chance: Chance, type_: Type, depth: int = 3) -> Any:
    """A value, mostly of the type."""
    if chance.random() < 0.08:
        return None
    if chance.random() < 0.04:
        type_ = chance.choice(SCALARS)
    match type_.kind:
        case Kind.STRUCT:
            members = {field.name: draw_json(chance, field.type, depth - 1) for field in type_.fields}
            if chance.random() < 0.3:
                members["more"] = draw_json(chance, ANY, depth - 1)
            names = list(members)
            if chance.random() < 0.4:
                chance.shuffle(names)
            return {name: members[name] for name in names if chance.random() < 0.95}
        case Kind.LIST:
            return [draw_json(chance, type_.item or ANY, depth - 1) for _ in range(chance.randrange(4))]
        case Kind.MAP:
            return {name: draw_json(chance, type_.item or ANY, depth - 1) for name in chance.sample(TEXTS, 3)}
        case Kind.STRING:
            return chance.choice(TEXTS)
        case Kind.INTEGER:
            return chance.choice(INTEGERS)
        case Kind.DECIMAL:
            return chance.choice([0, 1, -1, 0.5, -2.25, 99.99, 100, 1.001, "1.5", 12345678901234, 1e20])
        case Kind.DOUBLE:
            return chance.choice([*DOUBLES, 1, 2**60])
        case Kind.BOOLEAN:
            return chance.random() < 0.5
    return draw_json(chance, draw_type(chance, 1), depth - 1) if depth else chance.choice([*TEXTS, *INTEGERS, *DOUBLES])


def mutate(chance: Chance, data: bytes) -> bytes:
    """The bytes with some of them changed, left out, repeated or put between."""
    for _ in range(chance.choice([0, 0, 1, 1, 2, 5])):
        place, end = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
        match chance.randrange(5):
            case 0:
                data = data[:place] + bytes([chance.randrange(256)]) + data[place + 1 :]
            case 1:
                data = data[:place] + chance.choice(TOKENS) + data[place:]
            case 2:
                data = data[:place] + data[end:]
            case 3:
                data = data[:end] + data[place:]
            case _:
                data = data[:place] + chance.choice(TOKENS) + data[place + 1 :]
    return data


def run_bytes_case(seed: str) -> Literal["kernel", "python"]:
    """Reads and writes drawn bytes as one drawn format and type in both engines."""
    chance = Chance(seed)
    type_ = draw_type(chance, 3)
    format_ = chance.choice(["json", "json", "json", *FORMATS])
    key_format = chance.choice(["json", *FORMATS])

    def draw() -> GraphBuilder:
        held = type_ if format_ == "json" else FORMATS[format_]
        key_type = ANY if key_format == "json" else FORMATS[key_format]
        builder = GraphBuilder().stream(
            "orders", held, value_format=format_, key_format=key_format, key_type=key_type.to_json()
        )
        reads = ["value", "key", "5", "value IS NULL", *(f"value.`{each.name}`" for each in held.fields)]
        listed = [{"name": f"n{place}", "expression": text} for place, text in enumerate(chance.sample(reads, 2))]
        builder.add("m", "map_values", {"fields": listed}, records="orders")
        return builder.to("out", "m").to("same", "orders")

    drivers = _draw_drivers(chance, draw)
    rows = []
    for number in range(60):
        data = orjson.dumps(draw_json(chance, type_))
        if format_ != "json" and chance.random() < 0.7:
            data = chance.randbytes(chance.choice([1, 4, 8, 8]))
        if chance.random() < 0.2:
            data = data.replace(b":", b" : ").replace(b",", b"\n,\t")
        key = chance.choice([None, mutate(chance, orjson.dumps(draw_json(chance, ANY, 1))), chance.randbytes(8)])
        rows.append((key, mutate(chance, data), number))
    _pipe_and_compare(seed, drivers, rows)
    return "kernel" if drivers[0].rows_in_kernel else "python"


def run_avro_case(seed: str) -> Literal["kernel", "python"]:
    """Reads what drawn schemas wrote with another drawn schema in both engines, and writes it again."""
    chance = Chance(seed)
    return _run_topic_case(seed, chance, schemas.draw_topic(chance, 40))


def run_protobuf_case(seed: str) -> Literal["kernel", "python"]:
    """Reads drawn messages in both engines, and writes them again."""
    chance = Chance(seed)
    return _run_topic_case(seed, chance, messages.draw_topic(chance, 40))


def draw_schema(chance: Chance, type_: Type, depth: int = 3) -> dict[str, Any]:
    """A JSON Schema of values of a type, with some limits."""
    word = {Kind.STRING: "string", Kind.INTEGER: "integer", Kind.DOUBLE: "number", Kind.BOOLEAN: "boolean"}
    some: dict[str, Any]
    match type_.kind:
        case Kind.STRUCT:
            members = {field.name: draw_schema(chance, field.type, depth - 1) for field in type_.fields}
            some = {"type": "object", "properties": members}
            if chance.random() < 0.4:
                some["required"] = chance.sample(sorted(members), chance.randrange(len(members) + 1))
            some |= chance.choice([{}, {}, {"additionalProperties": chance.choice([True, False, {"type": "integer"}])}])
        case Kind.LIST:
            some = {"type": "array", "items": draw_schema(chance, type_.item or ANY, depth - 1)}
            some |= chance.choice([{}, {"minItems": 1}, {"maxItems": 2, "uniqueItems": False}])
        case Kind.MAP:
            some = {"type": "object", "additionalProperties": draw_schema(chance, type_.item or ANY, depth - 1)}
        case Kind.STRING:
            some = {"type": "string"} | chance.choice([{}, {}, {"minLength": 1}, {"maxLength": 3}])
            some |= chance.choice([{}, {}, {}, {"enum": ["", "a", "12"]}])
        case Kind.INTEGER | Kind.DOUBLE:
            limits = {name: chance.choice([0, 5, 2**53, 0.1, -2.5, 100]) for name in ("minimum", "exclusiveMaximum")}
            some = {"type": word[type_.kind]} | chance.choice([{}, limits, {"maximum": 100.0}, {"const": 7}])
        case Kind.BOOLEAN:
            some = {"type": "boolean"}
        case _:
            return {}
    match chance.randrange(6):
        case 0:
            return {chance.choice(["oneOf", "anyOf"]): [{"type": "null"}, some], "title": "or null"}
        case 1:
            return some | {"type": [some["type"], "null"]}
    return some


def run_json_schema_case(seed: str) -> Literal["kernel", "python"]:
    """Reads drawn documents of a drawn JSON Schema in both engines, and writes them again."""
    chance = Chance(seed)
    type_ = draw_type(chance, 3)
    while type_.kind not in (Kind.STRUCT, Kind.LIST, Kind.MAP):
        type_ = draw_type(chance, 3)
    text = orjson.dumps(draw_schema(chance, type_)).decode()
    framing = chance.choice(["plain", "confluent", "registry"])
    config: dict[str, Any] = {"value_format": "json_schema", "value_type": None, "value_schema": text}
    config |= {} if framing == "plain" else {"avro_header": "confluent", "value_schema_id": 1}
    config |= {"schema_registry": True} if framing == "registry" else {}
    rows: list[tuple[bytes, dict[str, bytes | None]]] = []
    for _ in range(60):
        data = orjson.dumps(draw_json(chance, type_))
        data = chance.choice([data] * 6 + [data.replace(b"0.1", b"0.10000000000000000555"), mutate(chance, data)])
        bare = framing == "plain" or chance.random() < 0.1
        rows.append((data if bare else struct_.pack(">bI", 0, chance.choice([1] * 9 + [2])) + data, {}))
    return _run_topic_case(seed, chance, schemas.Topic(config, {}, rows))


def _run_topic_case(seed: str, chance: Chance, topic: schemas.Topic) -> Literal["kernel", "python"]:

    def draw() -> GraphBuilder:
        builder = GraphBuilder().stream("orders", **topic.config)
        if chance.random() < 0.5:
            builder.add("m", "select_key", {"key": "typeof(value)", "key_format": "string"}, stream="orders")
            builder.add("g", "group_by_key", {}, stream="m")
            builder.add("a", "reduce", {"add": chance.choice(["value", "agg"])}, grouped="g")
            return builder.updates_to("out", "a").to("json", "orders", value_format="json")
        header = chance.choice(["plain", "confluent", "id_header"])
        own = {name: topic.config[name] for name in topic.config if name in SCHEMA_PARTS}
        own |= {"avro_header": header}
        own |= {} if header == "plain" else {"value_schema_id": 1}
        return builder.to("same", "orders", **chance.choice([{}, own])).to("json", "orders", value_format="json")

    drivers = _draw_drivers(chance, draw, registry_schemas=topic.registry)
    place = chance.randrange(len(topic.values) + 1)
    for part in (topic.values[:place], topic.values[place:]):
        rows = [(b"k", mutate(chance, data), number, headers) for number, (data, headers) in enumerate(part)]
        _pipe_and_compare(seed, drivers, rows)
    return "kernel" if drivers[0].rows_in_kernel else "python"


def run_functions_case(seed: str) -> Literal["kernel", "python"]:
    """Calls functions with edge values in both engines."""
    chance = Chance(seed)
    module = kernel.load()
    assert module is not None
    leaves = [chance.draw_text, chance.draw_integer, chance.draw_double, chance.draw_condition]

    def draw_call() -> str:
        arguments = [chance.choice(leaves)(0) if chance.random() < 0.8 else chance.draw_small() for _ in range(4)]
        return f"{chance.choice(sorted(module.known_functions()))}({', '.join(arguments[: chance.randrange(1, 5)])})"

    def draw() -> GraphBuilder:
        listed = [{"name": "result", "expression": draw_call()}]
        builder = GraphBuilder().stream("orders", ORDER)
        return builder.add("m", "map_values", {"fields": listed}, records="orders").to("out", "m")

    drivers = _draw_drivers(chance, draw)
    rows = [(chance.draw_key(), chance.draw_value(), number) for number in range(60)]
    _pipe_and_compare(seed, drivers, rows)
    return "kernel" if drivers[0].rows_in_kernel else "python"


KINDS = {
    "topologies": run_case,
    "bytes": run_bytes_case,
    "avro": run_avro_case,
    "protobuf": run_protobuf_case,
    "json_schema": run_json_schema_case,
    "functions": run_functions_case,
}


def main() -> None:
    seed, count, run = sys.argv[1], int(sys.argv[2]), KINDS[sys.argv[3] if len(sys.argv) > 3 else "topologies"]
    ran = [run(f"{seed}/{number}") for number in range(count)]
    print(f"{count} cases agree, {ran.count('kernel')} of them in the kernel")


if __name__ == "__main__":
    main()
