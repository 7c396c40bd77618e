"""A topology as plain data: nodes, edges, config. A value that can be checked, diffed, saved and drawn."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Annotated, Any, Literal, NotRequired, cast, get_args

from pydantic import Field as Doc
from typing_extensions import TypeAliasType, TypedDict

from designer.refusals import MalformedGraph

MAX_NODE_ID_LENGTH = 64
NODE_ID = re.compile(rf"[a-z0-9][a-z0-9-]{{0,{MAX_NODE_ID_LENGTH - 1}}}")
NOTE_ID = re.compile(r"#[a-z0-9]{1,32}")
"""Not the id of any node."""
MAX_NODES = 1_000
MAX_EDGES = 2_000
MAX_NOTES = 200
MAX_NOTE_LENGTH = 4_000
Colour = Literal["red", "orange", "yellow", "green", "blue", "purple", "grey"]
COLOURS: tuple[str, ...] = get_args(Colour)
NoteKind = Literal["note", "frame"]
KINDS: tuple[str, ...] = get_args(NoteKind)
COLUMN_WIDTH, ROW_HEIGHT = 240, 110
"""Distances between nodes that are placed in columns, in px of the canvas."""
MAX_COLUMNS, BAND_GAP = 5, 40
"""The columns that a window of 1,440 px shows at a readable size, and the room for edges to the columns below them."""
MAX_PLACE = 1_000_000
"""The farthest that a node or note may be from the origin, and its largest size, in px of the canvas.

Far beyond it a step from one node to the next is lost in rounding, and a view of the whole drawing shows nothing.
"""
SEEN_ONLY = ("position", "colour")
"""The members of a node's JSON that only readers see."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a node is on the canvas, in pixels at zoom 1."""

    x: float = 0.0
    y: float = 0.0


class PositionOut(TypedDict):
    """Where a node is on the canvas, in pixels at zoom 1."""

    x: float
    y: float


NodeConfig = TypeAliasType(
    "NodeConfig",
    Annotated[dict[str, Any], Doc(description="Settings of the node. The form of its operator describes them.")],
)
"""Members of JSON that the form of the node's operator checks (`OperatorOut.form`), without a model.

A draft may be incomplete or wrong: its issues are on the node. An operator of another version may be unknown here. The
page draws each form from the catalogue, so it has no code that could use a type per operator.
"""


class NodeParts(TypedDict):
    id: str
    operator: str
    bypassed: NotRequired[bool]
    colour: NotRequired[Colour]


class GraphNodeOut(NodeParts):
    config: NodeConfig
    position: PositionOut


@dataclass(frozen=True, slots=True)
class Node:
    """One operator at work: `operator` names its class in the catalogue, `config` holds its fields.

    Records pass a `bypassed` node unchanged (designer.topology.bypassing). A `colour` is for readers only.
    """

    id: str
    operator: str
    config: Mapping[str, Any] = field(default_factory=dict)
    position: Position = Position()
    bypassed: bool = False
    colour: str = ""

    def to_json(self) -> GraphNodeOut:
        json: GraphNodeOut = {
            "id": self.id,
            "operator": self.operator,
            "config": dict(self.config),
            "position": {"x": self.position.x, "y": self.position.y},
        }
        if self.bypassed:
            json["bypassed"] = True
        if self.colour:
            json["colour"] = cast(Colour, self.colour)
        return json


@dataclass(frozen=True, slots=True)
class Area(Position):
    """The place and the size of a note."""

    width: float = 240.0
    height: float = 120.0


class AreaOut(PositionOut):
    width: float
    height: float


class NoteParts(TypedDict):
    id: str
    kind: NoteKind
    colour: NotRequired[Colour]


class GraphNoteOut(NoteParts):
    """A note or a frame: Markdown that only readers see."""

    text: str
    position: AreaOut


@dataclass(frozen=True, slots=True)
class Note:
    """Markdown on the canvas, for readers only. A `frame` is behind nodes, and moves those inside it."""

    id: str
    kind: NoteKind = "note"
    text: str = ""
    colour: str = ""
    position: Area = Area()

    def to_json(self) -> GraphNoteOut:
        at = self.position
        json: GraphNoteOut = {
            "id": self.id,
            "kind": self.kind,
            "text": self.text,
            "position": {"x": at.x, "y": at.y, "width": at.width, "height": at.height},
        }
        if self.colour:
            json["colour"] = cast(Colour, self.colour)
        return json


class EdgeOut(TypedDict):
    source: str
    source_port: str
    target: str
    target_port: str


@dataclass(frozen=True, slots=True)
class Edge:
    """Records from `source`'s output port go into `target`'s input port."""

    source: str
    source_port: str
    target: str
    target_port: str

    def to_json(self) -> EdgeOut:
        return {
            "source": self.source,
            "source_port": self.source_port,
            "target": self.target,
            "target_port": self.target_port,
        }


def read_notes(notes: Iterable[Note]) -> list[str]:
    """The texts of notes and frames in reading order: from top to bottom, then from left to right."""
    sorted_notes = sorted(notes, key=lambda note: (note.position.y, note.position.x))
    return [text for note in sorted_notes if (text := note.text.strip())]


class GraphOut(TypedDict):
    """A topology as plain data, as `designer.topology.graph` writes it."""

    nodes: list[GraphNodeOut]
    edges: list[EdgeOut]
    notes: NotRequired[list[GraphNoteOut]]


@dataclass(frozen=True)
class Graph:
    """The whole graph. The order of `nodes` and `edges` is the order of definition, as in a StreamsBuilder."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    # Apart from nodes and edges: a version that changes only notes does not restart its job.
    notes: tuple[Note, ...] = ()

    def keep_meaning(self) -> Graph:
        """The part that runs, without members that only readers see."""
        return Graph(tuple(replace(node, position=Position(), colour="") for node in self.nodes), self.edges)

    @cached_property
    def by_id(self) -> Mapping[str, Node]:
        return {node.id: node for node in self.nodes}

    def node(self, node_id: str) -> Node:
        return self.by_id[node_id]

    def edges_into(self, node_id: str) -> Sequence[Edge]:
        return self._into.get(node_id, ())

    def edges_from(self, node_id: str) -> Sequence[Edge]:
        return self._from.get(node_id, ())

    @cached_property
    def _into(self) -> Mapping[str, Sequence[Edge]]:
        return _group_edges(self.edges, lambda edge: edge.target)

    @cached_property
    def _from(self) -> Mapping[str, Sequence[Edge]]:
        return _group_edges(self.edges, lambda edge: edge.source)

    def sort_nodes(self) -> tuple[Node, ...]:
        """The nodes, each after those that feed it, else in order of definition. Leaves out nodes on a cycle (Kahn)."""
        waiting = {node.id: len(self.edges_into(node.id)) for node in self.nodes}
        ready = [node.id for node in self.nodes if waiting[node.id] == 0]
        order: list[Node] = []
        while ready:
            node_id = ready.pop(0)
            order.append(self.by_id[node_id])
            for edge in self.edges_from(node_id):
                waiting[edge.target] -= 1
                if waiting[edge.target] == 0:
                    ready.append(edge.target)
        return tuple(order)

    def place_in_columns(self, positions: Mapping[str, Position] | None = None) -> Graph:
        """Return this graph with nodes in columns by their distance from a source, except for those in `positions`.

        More than `MAX_COLUMNS` columns break into bands, one below the other, as text breaks into lines.
        """
        columns: dict[str, int] = {}
        for node in self.sort_nodes():
            columns[node.id] = max((columns.get(edge.source, 0) + 1 for edge in self.edges_into(node.id)), default=0)
        heights = Counter(columns.get(node.id, 0) for node in self.nodes)  # nodes on a cycle are in no order
        bands = ceil(len(heights) / MAX_COLUMNS) or 1
        width = ceil(len(heights) / bands) or 1
        tops = [0]
        for band in range(bands):
            tops.append(tops[-1] + max(heights[column] for column in range(band * width, (band + 1) * width)))
        rows: Counter[int] = Counter()
        placed = []
        for node in self.nodes:
            band, column = divmod(columns.get(node.id, 0), width)
            row = tops[band] + rows[columns.get(node.id, 0)]
            free = Position(column * COLUMN_WIDTH, row * ROW_HEIGHT + band * BAND_GAP)
            placed.append(replace(node, position=(positions or {}).get(node.id, free)))
            rows[columns.get(node.id, 0)] += 1
        return replace(self, nodes=tuple(placed))

    def to_json(self) -> GraphOut:
        json: GraphOut = {
            "nodes": [node.to_json() for node in self.nodes],
            "edges": [
                {
                    "source": edge.source,
                    "source_port": edge.source_port,
                    "target": edge.target,
                    "target_port": edge.target_port,
                }
                for edge in self.edges
            ],
        }
        if self.notes:
            json["notes"] = [note.to_json() for note in self.notes]
        return json

    @classmethod
    def from_json(cls, json: Any) -> Graph:
        """Read a graph. Unknown members, bad ids and edges to missing nodes raise `MalformedGraph`."""
        _check_members(json, "graph", {"nodes": (list,)}, {"edges": (list,), "notes": (list,)})
        if len(json["nodes"]) > MAX_NODES or len(json.get("edges", ())) > MAX_EDGES:
            raise MalformedGraph(f"A graph holds at most {MAX_NODES} nodes and {MAX_EDGES} edges.", "Split it in two.")
        nodes = tuple(_read_node(item, f"nodes[{index}]") for index, item in enumerate(json["nodes"]))
        edges = tuple(_read_edge(item, f"edges[{index}]") for index, item in enumerate(json.get("edges", ())))
        graph = cls(nodes, edges, _read_notes(json.get("notes", [])))
        if len(graph.by_id) < len(nodes):
            twice = next(node.id for node in nodes if graph.by_id[node.id] is not node)
            raise MalformedGraph(f"Two nodes have the id `{twice}`.", "Give each node a different id.")
        for edge in edges:
            for end in (edge.source, edge.target):
                if end not in graph.by_id:
                    raise MalformedGraph(f"An edge names the node `{end}`, which does not exist.", "Remove the edge.")
        return graph


def read_placed(json: Any) -> Graph:
    """Read a graph as `Graph.from_json` does, and place the nodes that have no position in columns.

    A place or size beyond `MAX_PLACE` raises `MalformedGraph`. `Graph.from_json` takes it: an older version may have
    stored it.
    """
    graph = Graph.from_json(json)
    for part in ("nodes", "notes"):
        for index, element in enumerate(json.get(part, ())):
            _check_places(element.get("position", {}), f"{part}[{index}].position")
    given = {node["id"] for node in json["nodes"] if "position" in node}
    if len(given) == len(graph.nodes):
        return graph
    return graph.place_in_columns({node.id: node.position for node in graph.nodes if node.id in given})


def _check_places(position: Mapping[str, float], at: str) -> None:
    for name, value in position.items():
        if not -MAX_PLACE <= value <= MAX_PLACE:
            raise MalformedGraph(
                f"{at}.{name} is {value:,.15g}; expected a number from -{MAX_PLACE:,} to {MAX_PLACE:,}.",
                "Choose a place near the other nodes, or leave positions out: nodes then stand in columns.",
            )


def _group_edges(edges: Sequence[Edge], end: Callable[[Edge], str]) -> Mapping[str, Sequence[Edge]]:
    groups: dict[str, list[Edge]] = defaultdict(list)
    for edge in edges:
        groups[end(edge)].append(edge)
    return groups


def _read_node(json: Any, at: str) -> Node:
    optional = {"config": (dict,), "position": (dict,), "bypassed": (bool,), "colour": (str,)}
    _check_members(json, at, {"id": (str,), "operator": (str,)}, optional)
    if not NODE_ID.fullmatch(json["id"]):
        raise MalformedGraph(
            f"{at}.id is `{json['id'][:80]}`; "
            f"expected up to {MAX_NODE_ID_LENGTH} of a-z, 0-9 and -, not starting with -.",
            "Rename the node.",
        )
    position = json.get("position", {})
    _check_members(position, f"{at}.position", {}, {"x": (int, float), "y": (int, float)})
    place = Position(**position)
    is_bypassed, colour = json.get("bypassed", False), _choose(json, "colour", at, ("", *COLOURS))
    return Node(json["id"], json["operator"], json.get("config", {}), place, is_bypassed, colour)


def _read_edge(json: Any, at: str) -> Edge:
    _check_members(json, at, dict.fromkeys(("source", "source_port", "target", "target_port"), (str,)), {})
    return Edge(**json)


def _read_notes(json: list[Any]) -> tuple[Note, ...]:
    if len(json) > MAX_NOTES:
        raise MalformedGraph(f"A graph holds at most {MAX_NOTES} notes and frames.", "Put several notes into one.")
    notes = tuple(_note(item, f"notes[{index}]") for index, item in enumerate(json))
    if len({note.id for note in notes}) < len(notes):
        raise MalformedGraph("Two notes have one id.", "Give each note a different id.")
    return notes


def _note(json: Any, at: str) -> Note:
    _check_members(json, at, {"id": (str,), "kind": (str,)}, {"text": (str,), "colour": (str,), "position": (dict,)})
    if not NOTE_ID.fullmatch(json["id"]):
        raise MalformedGraph(
            f"{at}.id is `{json['id'][:80]}`; expected # and up to 32 of a-z and 0-9.", "Give it another id."
        )
    text = json.get("text", "")
    if len(text) > MAX_NOTE_LENGTH:
        raise MalformedGraph(f"{at}.text has more than {MAX_NOTE_LENGTH:,} characters.", "Split the note.")
    position = json.get("position", {})
    _check_members(position, f"{at}.position", {}, dict.fromkeys(("x", "y", "width", "height"), (int, float)))
    kind, colour = cast(NoteKind, _choose(json, "kind", at, KINDS)), _choose(json, "colour", at, ("", *COLOURS))
    return Note(json["id"], kind, text, colour, Area(**position))


def _choose(json: Mapping[str, Any], name: str, at: str, names: Sequence[str]) -> str:
    choice: str = json.get(name, "")
    if choice not in names:
        words = ", ".join(filter(None, names))
        raise MalformedGraph(f"{at}.{name} is `{choice[:80]}`. Known: {words}.", "Choose one of these.")
    return choice


def _check_members(
    json: Any,
    at: str,
    members: Mapping[str, tuple[type, ...]],
    optional: Mapping[str, tuple[type, ...]],
) -> None:
    if not isinstance(json, dict):
        raise MalformedGraph(f"{at} is {_read_name(json)}; expected an object.", "Export a topology to see the shape.")
    all_members = {**members, **optional}
    for name in json:
        if name not in all_members:
            raise MalformedGraph(f"{at} has `{name[:80]}`. Known: {', '.join(all_members)}.", "Remove or rename it.")
    for name in members:
        if name not in json:
            raise MalformedGraph(f"{at} has no `{name}`.", "Add it.")
    for name, value in json.items():
        kinds = all_members[name]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            kind_names = " or ".join(_NAMES[kind] for kind in kinds)
            raise MalformedGraph(f"{at}.{name} is {_read_name(value)}; expected {kind_names}.", "Correct it.")


_NAMES: dict[type, str] = {
    str: "text",
    dict: "an object",
    list: "a list",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def _read_name(value: Any) -> str:
    return _NAMES.get(type(value), type(value).__name__)
