"""Draws a topology by calls, one operator each (StreamsBuilder).

builder = StreamsBuilder()
orders = builder.stream("orders", topic="orders")
large = orders.filter("large", predicate="amount > 100")
large.to("out", topic="large-orders")
print(builder.export("Large orders"))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.checks.text import guess
from designer.projects.exchange import write_export
from designer.topology.catalogue import Operator, get_catalogue
from designer.topology.graph import Area, Edge, Graph, Node, Note, NoteKind, Position


class Stream:
    """The output of a node. Its methods are the operators: each adds a node that takes it, and returns its output.

    A method raises what a method of `StreamsBuilder` does, and TypeError for a source, which takes no records.
    """

    def __init__(self, builder: StreamsBuilder, node: str, port: str) -> None:
        self._builder = builder
        self._node = node
        self._port = port

    def __getitem__(self, port: str) -> Stream:
        """Another output of the same node: a branch of a split."""
        return Stream(self._builder, self._node, port)

    def __getattr__(self, operator: str) -> Callable[..., Stream]:
        return self._builder._make_adder(operator, self)


# Methods come from the catalogue, so a new operator has its method at once. The server never runs such a program.
class StreamsBuilder:
    """Collects nodes and edges. Its methods are the operators: `builder.stream("id", topic="orders")`.

    The first argument is the node's id; the others are fields of its form, or input ports with what they take: the
    output of a node or a list of them. The first input port takes what the operator is called on. Records pass a node
    with `bypassed=True` as they are. `colour="green"` and the other colours of the canvas are for readers.

    A method raises AttributeError if there is no such operator, TypeError without exactly one id, and ValueError if
    another node has the id. Fields are not checked here: the import, or a deploy, says what is wrong with them.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.notes: list[Note] = []
        self._ids: set[str] = set()

    def __getattr__(self, operator: str) -> Callable[..., Stream]:
        return self._make_adder(operator, None)

    def note(self, text: str, x: float, y: float, width: float, height: float, *, colour: str = "") -> None:
        """Put a note with Markdown on the canvas.

        `x` and `y` are the place of its upper left corner, and `width` and `height` its size, in pixels of the canvas
        at a zoom of 100 %.
        """
        self._write("note", text, Area(x, y, width, height), colour)

    def frame(self, title: str, x: float, y: float, width: float, height: float, *, colour: str = "") -> None:
        """Put a frame with a title on the canvas, around everything there. Place and size are as those of a note."""
        self._write("frame", title, Area(x, y, width, height), colour)

    def _write(self, kind: NoteKind, text: str, place: Area, colour: str) -> None:
        self.notes.append(Note(f"#{len(self.notes) + 1}", kind, text, colour, place))

    def graph(self, positions: Mapping[str, Sequence[float]] | None = None) -> Graph:
        """Return the topology. Raises MalformedGraph, for example for an id with spaces.

        `positions` are the places (x, y) of nodes by their ids, in pixels of the canvas. Other nodes are put into
        columns by their distance from a source.
        """
        given = {node: Position(x, y) for node, (x, y) in (positions or {}).items()}
        graph = Graph(tuple(self.nodes), tuple(self.edges), tuple(self.notes)).place_in_columns(given)
        return Graph.from_json(graph.to_json())

    def export(
        self,
        name: str,
        schemas: Mapping[str, Any] | None = None,
        positions: Mapping[str, Sequence[float]] | None = None,
    ) -> str:
        """Return the topology as the JSON text of an export. Raises MalformedGraph.

        The home page imports it, and `manage.py deploy FILE.json` runs it. `name` is the topology's name, `schemas` are
        the known schemas of sources by the ids of their nodes, and `positions` are as in `graph`.
        """
        export = write_export(name, self.graph(positions).to_json(), schemas or {})
        return orjson.dumps(export, option=orjson.OPT_INDENT_2).decode()

    def _make_adder(self, operator: str, first: Stream | None) -> Callable[..., Stream]:
        kind = get_catalogue().get(operator)
        if kind is None:
            meant = guess(operator, get_catalogue())
            others = f"Did you mean `{meant}`?" if meant else f"Operators: {', '.join(sorted(get_catalogue()))}."
            raise AttributeError(f"There is no operator `{operator}`. {others}")

        def add(*names: str, bypassed: bool = False, colour: str = "", **fields: Any) -> Stream:
            if len(names) != 1 or not isinstance(names[0], str):
                field = next((f", {name}=…" for name, each in kind.model_fields.items() if each.is_required()), "")
                raise TypeError(f'Write the id of the node, then fields by name: {operator}("my-id"{field}).')
            return self._add(kind, Node(names[0], operator, bypassed=bypassed, colour=colour), first, fields)

        return add

    def _add(self, kind: type[Operator], node: Node, first: Stream | None, fields: Mapping[str, Any]) -> Stream:
        if node.id in self._ids:
            raise ValueError(f"There already is a node `{node.id}`. Give this one another id.")
        self._ids.add(node.id)
        config = {name: value for name, value in fields.items() if not _is_given(value)}
        inputs = {name: _as_list(value) for name, value in fields.items() if _is_given(value)}
        if first is not None:
            ports = kind.input_ports(config)
            if not ports:
                raise TypeError(f"`{node.operator}` is a source, which nothing feeds: call it on the builder.")
            port = next(iter(ports))
            inputs = {port: [first, *inputs.get(port, ())]} | {
                name: each for name, each in inputs.items() if name != port
            }
        self.nodes.append(replace(node, config=config))
        self.edges += [Edge(each._node, each._port, node.id, port) for port, every in inputs.items() for each in every]
        return Stream(self, node.id, next(iter(kind.output_ports(config)), ""))


def _is_given(value: Any) -> bool:
    return isinstance(value, Stream) or (isinstance(value, list) and bool(value) and isinstance(value[0], Stream))


def _as_list(value: Any) -> list[Stream]:
    return value if isinstance(value, list) else [value]
