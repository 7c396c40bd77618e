"""Random topologies, records, bytes and expressions, in both engines: what one gives, the other must give.

`python -m tests.runner.engine.kernel.differential SEED COUNT` runs as many cases as are wanted.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any, Literal

import orjson

from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Kind, Type, struct
from runner.engine.stores.state import MemoryState
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
        leaves = ["id", "inner.name", "key", "'a'", "''", "'|'", "NULL", "items[0]"]
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

    def draw_condition(self, depth: int = 2) -> str:
        """An expression that gives true, false or null."""
        leaves = ["flag", "TRUE", "NULL", "count > 1", "amount >= 2"]
        kind = self.choice([self.draw_text, self.draw_integer, self.draw_double])
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

    def draw_small(self) -> str:
        return str(self.randrange(-3, 6))

    def draw_any(self) -> str:
        """An expression of any type."""
        more = ["free", "free.b", "inner", "items", "named_struct('x', id, 'y', count)", "value"]
        return (
            self.choice([self.draw_text, self.draw_integer, self.draw_double, self.draw_condition])(2)
            if self.random() < 0.8
            else self.choice(more)
        )

    def _draw(self, depth: int, leaves: list[str], branches: list[Callable[[], str]]) -> str:
        return self.choice(leaves) if depth <= 0 or self.random() < 0.25 else self.choice(branches)()


def draw_topology(chance: Chance) -> GraphBuilder:
    """A stream with some steps, an aggregation or a join, and a sink."""
    builder, last = GraphBuilder().stream("orders", ORDER), "orders"
    for number in range(chance.randrange(1, 4)):
        step, name = chance.randrange(5), f"s{number}"
        if step == 0:
            builder.add(
                name, chance.choice(["filter", "filter_not"]), {"predicate": chance.draw_condition()}, records=last
            )
        elif step in (1, 2):
            names = {"out1": chance.draw_any(), "out2": chance.draw_any(), "id": chance.draw_text()}
            listed = [{"name": field, "expression": text} for field, text in names.items()]
            builder.add(name, "map_values", {"keep": True, "fields": listed}, records=last)
        elif step == 3:
            builder.add(name, "select_key", {"key": chance.draw_text(), "key_format": "string"}, stream=last)
        else:
            branches = [{"name": "one", "predicate": chance.draw_condition()}, {"name": "two", "predicate": "flag"}]
            builder.add(name, "split", {"branches": branches}, stream=last)
            builder.to(f"two{number}", f"{name}:two")
            name += ":" + chance.choice(["one", "default"])
        last = name
    match chance.randrange(5):
        case 0 | 1:
            return builder.to("out", last)
        case 2:
            builder.add("t", "to_table", {"store": "rows"}, stream=last)
            builder.add("f", "filter", {"predicate": chance.draw_condition()}, records="t")
            return builder.updates_to("out", "f")
        case 3:
            builder.add("t", "to_table", stream="orders")
            listed = [{"name": "a", "expression": "left.id"}, {"name": "b", "expression": "right.count"}]
            builder.add("j", chance.choice(["left_join", "join"]), {"fields": listed}, left=last, right="t")
            return builder.to("out", "j")
        case _:
            return _draw_aggregation(chance, builder, last)


def _draw_aggregation(chance: Chance, builder: GraphBuilder, last: str) -> GraphBuilder:
    builder.add("g", "group_by_key", stream=last)
    grouped = "g"
    if window := chance.choice(
        [
            None,
            None,
            {"type": "tumbling", "size_ms": 1_000, "grace_ms": 500},
            {"type": "hopping", "size_ms": 1_000, "advance_ms": 300, "grace_ms": 200},
        ]
    ):
        builder.add("w", "windowed_by", window, grouped="g")
        grouped = "w"
    functions = [{"name": "n", "function": "count"}]
    for name, of in (
        ("sum", "count"),
        ("avg", "amount"),
        ("min", "id"),
        ("max", "amount"),
        ("first", "id"),
        ("last", "count"),
    ):
        if chance.random() < 0.5:
            functions.append({"name": name, "function": name, "expression": of})
    how = chance.randrange(4)
    if how == 0:
        builder.add("a", "count", grouped=grouped)
    elif how == 1:
        builder.add(
            "a", "reduce", {"add": chance.choice(["value", "agg", "if(count > 1, value, agg)"])}, grouped=grouped
        )
    elif how == 2:
        builder.add("a", "aggregate", {"init": "0", "add": "agg + coalesce(count, 1)"}, grouped=grouped)
    else:
        builder.add("a", "aggregate", {"functions": functions}, grouped=grouped)
    return builder.updates_to("out", "a")


def run_case(seed: str) -> Literal["kernel", "python"]:
    """Runs one case in both engines, and moves the kernel's job to Python for some batches. Says where it ran.

    Raises AssertionError with the seed if they differ.
    """
    chance = Chance(seed)
    while True:
        builder = draw_topology(chance)
        try:
            options: dict[str, Any] = {"cache": chance.random() < 0.5, "wall_clock": lambda: 7}
            kernel_driver = KernelDriver(builder.graph, **options)
            break
        except Exception:  # an expression that the check refuses
            continue
    python_driver = KernelDriver(builder.graph, engine="python", **options)
    for _ in range(chance.randrange(1, 5)):
        kernel_driver.move_to("python" if chance.random() < 0.2 else "kernel")
        count = chance.randrange(1, 40)
        rows = [(chance.draw_key(), chance.draw_value(), chance.randrange(-5, 6_000)) for _ in range(count)]
        if chance.random() < 0.4:
            rows = [(key, value, time) for key, value, time in rows if value not in BROKEN]
        for driver in (kernel_driver, python_driver):
            with driver.batch():
                for key, value, time in rows:
                    driver.pipe_bytes("orders", key, value, time)
        for what in ("rows", "dead_letters", "count_passed", "drops"):
            one, other = getattr(kernel_driver, what)(), getattr(python_driver, what)()
            assert one == other, f"seed {seed}, {what}:\n{builder.graph}\n{one}\n{other}"
        assert isinstance(kernel_driver.state, MemoryState) and isinstance(python_driver.state, MemoryState)
        assert kernel_driver.state.values == python_driver.state.values, f"seed {seed}: state"
    return "kernel" if kernel_driver.rows_in_kernel else "python"


def main() -> None:
    seed, count = sys.argv[1], int(sys.argv[2])
    ran = [run_case(f"{seed}/{number}") for number in range(count)]
    print(f"{count} cases agree, {ran.count('kernel')} of them in the kernel")


if __name__ == "__main__":
    main()
