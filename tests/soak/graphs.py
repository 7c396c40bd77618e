"""Random and hostile graphs: each is checked or refused within 0.3 s of CPU time, in at most 5 MB of answer.

`python -m tests.soak.graphs --seed 1 --count 10000` prints each that takes more, and the slowest of each family.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from pydantic import TypeAdapter

MAX_SECONDS = 0.3
MAX_ANSWER = 5_000_000
MAX_BODY = 1_000_000

Graph = dict[str, Any]
KINDS = ("boolean", "integer", "double", "string", "bytes", "any")
EXPRESSIONS = (
    "amount",
    "value",
    "key",
    "amount > 1",
    "amout",
    "'text'",
    "CASE WHEN amount > 1 THEN value ELSE NULL END",
    "coalesce(value, value)",
    "named_struct('a', value, 'b', value)",
    "array(value, value)",
    "map('a', value)",
    "length(nobody)",
    "headers[0].value",
    "value[length(key)]",
    "amount +",
    "left",
    "named_struct('a', left, 'b', right)",
)


class Builder:
    """Draws nodes and edges without a look at whether they fit."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.nodes: list[dict[str, Any]] = []
        self.edges: list[dict[str, str]] = []

    def node(self, operator: str, **config: Any) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append({"id": name, "operator": operator, "config": config})
        return name

    def edge(self, source: str, target: str, port: str = "records", out: str = "result") -> None:
        self.edges.append({"source": source, "source_port": out, "target": target, "target_port": port})

    def behind(self, source: str, operator: str, port: str = "records", **config: Any) -> str:
        name = self.node(operator, **config)
        self.edge(source, name, port)
        return name

    def orders(self, *extra: tuple[str, Any]) -> str:
        fields = {"id": {"kind": "integer"}, "amount": {"kind": "double"}, **dict(extra)}
        members = [{"name": name, "type": held} for name, held in fields.items()]
        return self.node(
            "stream", topic=f"t{len(self.nodes)}", key_format="string", value_type={"kind": "struct", "fields": members}
        )

    def wide(self, budget: int) -> str:
        long = self.chance.choice((1, 8, 100, 5_000))
        letter = self.chance.choice("aé€")
        count = min(15_000, budget // (60 + long * len(json.dumps(letter))))
        return self.orders(*((f"{letter * long}{number}", {"kind": "integer"}) for number in range(count)))


def doubling(draw: Builder) -> None:
    """The value holds itself again and again."""
    at = draw.orders()
    shape = draw.chance.choice(
        (
            {"value": "named_struct('a', value, 'b', value)"},
            {"value": "array(array(value))"},
            {"value": "map('a', map('b', value))"},
            {"value": "named_struct('a', named_struct('x', value), 'b', array(value, value))"},
            {"keep": True, "fields": [{"name": "a", "expression": "value"}]},
            {"fields": [{"name": f"f{number}", "expression": "value"} for number in range(100)]},
        )
    )
    for _ in range(draw.chance.randrange(2, 400)):
        at = draw.behind(at, "map_values", **shape)
    draw.behind(at, "to", topic="out")


def diamonds(draw: Builder) -> None:
    """What a table and a stream share, joined again and again."""
    at = draw.behind(draw.orders(), "to_table")
    for _ in range(draw.chance.randrange(2, 120)):
        one = draw.behind(at, "map_values", value="named_struct('a', value)")
        other = draw.behind(at, "map_values", value="named_struct('b', value)")
        at = draw.node("join", value="named_struct('l', left, 'r', right)")
        draw.edge(one, at, "left")
        draw.edge(other, at, "right")


def widths(draw: Builder) -> None:
    """Thousands of fields, and nodes that pass them on, some with one more."""
    at = draw.wide(draw.chance.choice((20_000, 150_000, 700_000)))
    for number in range(draw.chance.randrange(2, 450)):
        match draw.chance.randrange(4):
            case 0:
                row = {"name": f"more{number}", "expression": draw.chance.choice(("1", "value", "amount"))}
                at = draw.behind(at, "map_values", keep=True, fields=[row])
            case 1:
                at = draw.behind(at, "filter", predicate=f"amoun{number} > {number}")
            case _:
                at = draw.behind(at, "filter", predicate=f"amount > {number}")


def typos(draw: Builder) -> None:
    """Names that are nearly right, over many that might be meant."""
    at = draw.wide(draw.chance.choice((100_000, 190_000)))
    for number in range(draw.chance.randrange(1, 480)):
        draw.behind(at, "filter", predicate=" + ".join(f"aa{number}x{other}" for other in range(20)))


def texts(draw: Builder) -> None:
    """Expressions as long and deep as there can be."""
    at = draw.orders() if draw.chance.random() < 0.7 else draw.node("stream", topic="unknown")
    made: Callable[[], str] = draw.chance.choice(
        (
            lambda: "value" + "[length(value" * 14 + "[0])]" * 14,
            lambda: "(" * 30 + "amount" + ")" * 30,
            lambda: " + ".join(["amount"] * draw.chance.randrange(1, 340)),
            lambda: " AND ".join(f"amount > {number}" for number in range(70)),
            lambda: "CASE " + " ".join(f"WHEN amount > {number} THEN value" for number in range(60)) + " END",
            lambda: "coalesce(" * 28 + "value" + ", value)" * 28,
            lambda: "if(amount > 1, " * 20 + "value" + ", value)" * 20,
            lambda: "key RLIKE '" + "(a|b)*" * 600 + "'",
            lambda: "key LIKE '" + "%a" * 2_000 + "'",
            lambda: "array(" * 30 + "value" + ")" * 30,
            lambda: "struct(" * 30 + "value" + ")" * 30,
            lambda: "named_struct(" + ", ".join(f"'f{number}', value" for number in range(120)) + ")",
            lambda: "date_format(1, '" + "yyyy" * 900 + "')",
            lambda: "-" * 31 + "'a'",
            lambda: "'" + "x" * 4_000 + "'",
            lambda: "x" * 4_095,
            lambda: "".join(draw.chance.choice("()[]{}'\"`.,+-*/% azAZ09\\\n\u20ac") for _ in range(2_000)),
        )
    )
    size = 0
    for number in range(draw.chance.randrange(1, 490)):
        text = made().replace("amount", f"(amount + {number})", 1)[:4_096]
        size += len(json.dumps(text))
        if size > MAX_BODY * 0.8:
            break
        if draw.chance.random() < 0.5:
            draw.behind(at, "map_values", value=text)
        else:
            draw.behind(at, "filter", predicate=text)


def rows(draw: Builder) -> None:
    """Forms with as many rows as a body holds, right and wrong."""
    at = draw.orders()
    wrong = draw.chance.random() < 0.5
    names = (lambda number: "same") if draw.chance.random() < 0.3 else (lambda number: f"f{number}")
    for _ in range(draw.chance.randrange(1, 60)):
        count = draw.chance.choice((10, 100, 499, 501, 2_000))
        every = [{"name": names(number), "expression": "nobody" if wrong else "amount"} for number in range(count)]
        match draw.chance.randrange(5):
            case 0:
                at = draw.behind(at, "map_values", fields=every)
            case 1:
                draw.behind(at, "map_values", fields=[{"nam": 1, "x": []}] * count)
            case 2:
                draw.behind(at, "split", branches=[{"name": f"b{n}", "predicate": "amount > 1"} for n in range(count)])
            case 3:
                grouped = draw.behind(at, "group_by_key")
                functions = [{"name": f"f{n}", "function": "sum", "expression": "amount"} for n in range(count)]
                draw.behind(grouped, "aggregate", "grouped", functions=functions)
            case 4:
                unknown: dict[str, Any] = {f"x{number}": None for number in range(count)}
                draw.behind(at, "filter", "records", **unknown)


def avro(draw: Builder) -> None:
    """Schemas whose records hold the one before twice, or very many fields."""
    if draw.chance.random() < 0.5:
        held: Any = "long"
        for number in range(draw.chance.randrange(2, 60)):
            again = f"R{number - 1}" if number else "long"
            fields = [{"name": "a", "type": held}, {"name": "b", "type": again}]
            held = {"type": "record", "name": f"R{number}", "fields": fields}
    else:
        fields = [{"name": f"f{number}", "type": "long"} for number in range(draw.chance.randrange(2_000, 3_300))]
        held = {"type": "record", "name": "R", "fields": fields}
    for number in range(draw.chance.randrange(1, 9)):
        at = draw.node("stream", topic=f"t{number}", value_format="avro", value_schema=json.dumps(held))
        for _ in range(draw.chance.randrange(30)):
            at = draw.behind(at, "filter", predicate="true")
        draw.behind(at, "to", topic="out", value_format="avro", value_schema=json.dumps(held))


def edges(draw: Builder) -> None:
    """As many edges as there can be: circles, fans, everything into everything."""
    operators = draw.chance.choices(("merge", "filter", "to", "stream", "split", "join", "cogroup", "count"), k=9)
    names = [draw.node(draw.chance.choice(operators), predicate="true") for _ in range(draw.chance.randrange(2, 500))]
    for _ in range(draw.chance.randrange(1, 1_000)):
        port = draw.chance.choice(("records", "left", "right", "streams", "grouped", "x" * 100))
        draw.edge(draw.chance.choice(names), draw.chance.choice(names), port)
    if draw.chance.random() < 0.5:
        for one, other in pairwise(names):
            draw.edge(one, other)
        draw.edge(names[1], names[0])


def topics(draw: Builder) -> None:
    """Sources and sinks of the same topics, by name and by pattern."""
    patterns = (".*", "(a|b)*", "t.*", "t[0-9]{1,100}", "(t+)+x")
    for number in range(draw.chance.randrange(2, 499)):
        match draw.chance.randrange(3):
            case 0:
                draw.node("stream", pattern=draw.chance.choice(patterns))
            case 1:
                draw.node("stream", topics=[f"t{number}{'a' * 30}{other}" for other in range(45)])
            case 2:
                draw.node("to", topic_expression="'t'", topics=[f"t{other}" for other in range(100)])


def code(draw: Builder) -> None:
    """Python that is long or deep."""
    text = draw.chance.choice(("x = " + "(" * 20_000, "x = " + "-" * 60_000 + "1", "a = 1\n" * 10_000, "if a:\n" * 90))
    at = draw.orders()
    for _ in range(draw.chance.randrange(1, 10)):
        at = draw.behind(at, "process", code=text)


def anything(draw: Builder) -> None:
    """Nodes of any kind with forms of anything."""
    from designer.topology.catalogue import get_catalogue

    names: list[str] = [draw.orders()]
    for _ in range(draw.chance.randrange(1, 300)):
        operator = draw.chance.choice(list(get_catalogue()))
        fields = get_catalogue()[operator].model_fields
        chosen = draw.chance.sample(list(fields), draw.chance.randrange(min(6, len(fields)) + 1))
        name = draw.node(operator, **{field: _anything(draw.chance, 3) for field in chosen})
        for port in get_catalogue()[operator].input_ports(draw.nodes[-1]["config"]):
            if len(draw.edges) < 1_000 and draw.chance.random() < 0.9:
                draw.edge(draw.chance.choice(names), name, port)
        names.append(name)


def _anything(chance: random.Random, depth: int) -> Any:
    match chance.randrange(9 if depth else 6):
        case 0 | 1 | 2:
            return chance.choice(EXPRESSIONS)
        case 3:
            return chance.choice((0, 1, -1, 10**9, 2**63 - 1, 1.5, True, None))
        case 4:
            return {"kind": chance.choice(KINDS)}
        case 5:
            return chance.choice(("json", "string", "long", "avro", "none", "tumbling", "a" * 5_000))
        case 6:
            return [_anything(chance, depth - 1) for _ in range(chance.randrange(6))]
        case 7:
            return [{"name": f"f{n}", "expression": chance.choice(EXPRESSIONS)} for n in range(chance.randrange(9))]
        case _:
            return {chance.choice(("name", "a", "kind", "fields")): _anything(chance, depth - 1) for _ in range(3)}


FAMILIES: Mapping[str, Callable[[Builder], None]] = {
    each.__name__: each
    for each in (doubling, diamonds, widths, typos, texts, rows, avro, edges, topics, code, anything)
}


class Found(NamedTuple):
    """What a check of one graph came to: CPU seconds, characters of the answer, and its refusal if any."""

    family: str
    number: int
    seconds: float
    characters: int
    refusal: str


def make_graph(seed: str, number: int) -> tuple[str, Graph]:
    """The name of its family, and one graph."""
    chance = random.Random(f"{seed}/{number}")
    family = list(FAMILIES)[number % len(FAMILIES)]
    draw = Builder(chance)
    FAMILIES[family](draw)
    return family, {"nodes": draw.nodes[:500], "edges": draw.edges[:1_000]}


def checked(seed: str, number: int) -> Found:
    """Checks a graph as the API does, from the body's text to the answer's."""
    from designer.projects.api import check_topology
    from designer.projects.schemas import CheckIn, CheckOut
    from designer.refusals import Refusal

    family, graph = make_graph(seed, number)
    names = {node["id"] for node in graph["nodes"]}
    graph["edges"] = [edge for edge in graph["edges"] if {edge["source"], edge["target"]} <= names]
    began = time.thread_time()
    refusal = ""
    try:
        answer = check_topology(None, CheckIn(graph=graph))  # type: ignore[arg-type]
        text = json.dumps(TypeAdapter(CheckOut).validate_python(answer))
    except Refusal as refused:
        refusal, text = refused.code, json.dumps(refused.to_json())
    except Exception as error:
        raise AssertionError(f"graph {number} of seed {seed}, {family}, breaks the check") from error
    return Found(family, number, time.thread_time() - began, len(text), refusal)


def main() -> int:
    """How many of the graphs took too much."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.graphs")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--start", type=int, default=0, help="The number of the first; a graph is its seed and number.")
    parser.add_argument("--count", type=int, default=10_000)
    asked = parser.parse_args()
    return len(costly(asked.seed, asked.count, asked.start))


def costly(seed: str, count: int, start: int = 0) -> list[Found]:
    """Those of the graphs that took more than they may; prints them, and the slowest."""
    import webapp.asgi  # noqa: F401  (all that the web server has loaded)

    found = [checked(seed, number) for number in range(start, start + count)]
    over = [each for each in found if each.seconds > MAX_SECONDS or each.characters > MAX_ANSWER]
    for each in over:
        print(f"costly: {each}")
    print(f"{len(over)} of {count} take more than {MAX_SECONDS} s or {MAX_ANSWER:,} characters")
    for name in FAMILIES:
        of = [each for each in found if each.family == name] or [Found(name, 0, 0, 0, "")]
        slowest, largest = max(of, key=lambda each: each.seconds), max(of, key=lambda each: each.characters)
        refused = sum(1 for each in of if each.refusal)
        print(
            f"{name}: {len(of)} graphs, {refused} refused, slowest {slowest.seconds * 1e3:.0f} ms "
            f"({slowest.number}), largest answer {largest.characters:,} ({largest.number})"
        )
    return over


if __name__ == "__main__":
    sys.exit(bool(main()))
