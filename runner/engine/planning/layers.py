"""Layers: a sub-topology that gets rows back from its own shuffle is split, so rows only go forward.

The nodes at which such rows come back, and all later ones, become their own sub-topology: a later layer. Nodes that
feed them in the same task, or that they look up, are *cloned* into it. A clone does the work of its original
once more, on the same rows, over its own stores. Sources and shuffles give their rows to both. Users see no clones:
only an original counts, reports errors, and feeds sinks and shuffles.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from designer.topology.graph import Edge

AGAIN = ".again"
"""Suffix of a clone's id, once for each clone before it. No id of a user has a dot."""
Place = TypeVar("Place")


def is_clone(node: str) -> bool:
    return AGAIN in node


def find_original(node: str) -> str:
    """The original of a clone, or the node itself."""
    return node.partition(AGAIN)[0]


def name_clone(node: str) -> str:
    """The suffix of a clone: the end of its id, and of the names of its stores."""
    return node[len(find_original(node)) :]


@dataclass(frozen=True, slots=True)
class Wiring:
    """Nodes in order of definition, the edges between them, and the edges that are `shuffles`."""

    nodes: tuple[str, ...]
    edges: tuple[Edge, ...]
    shuffles: frozenset[Edge]
    global_tables: frozenset[str]

    @property
    def inner_edges(self) -> list[Edge]:
        """The edges within sub-topologies."""
        return [edge for edge in self.edges if edge not in self.shuffles and edge.source not in self.global_tables]


def connect(wiring: Wiring) -> list[list[str]]:
    """The sub-topologies: nodes joined by edges, in order of definition. Global tables belong to none and join none."""
    group = {node: [node] for node in wiring.nodes if node not in wiring.global_tables}
    for edge in wiring.inner_edges:
        if group[edge.source] is not group[edge.target]:
            into, other = group[edge.source], group[edge.target]
            into.extend(other)
            group.update(dict.fromkeys(other, into))
    place = {node: number for number, node in enumerate(wiring.nodes)}
    distinct = {id(members): members for members in group.values()}
    return sorted((sorted(members, key=place.__getitem__) for members in distinct.values()), key=lambda m: place[m[0]])


def split_layers(wiring: Wiring, once: Collection[str]) -> Wiring:
    """Splits loops repeatedly. A loop stays if a split would clone nodes that may do their work only `once`.

    Each split separates two drawn nodes, and no clone feeds a shuffle, so the splits end.
    """
    while (next_wiring := next(_find_splits(wiring, once), None)) is not None:
        wiring = next_wiring
    return wiring


def _find_splits(wiring: Wiring, once: Collection[str]) -> Iterator[Wiring]:
    """The ways to split a sub-topology: after a node that feeds a loop, before all nodes at which loops come back."""
    groups = connect(wiring)
    looping = _find_looping(groups, wiring.shuffles)
    tails, heads = {edge.source for edge in looping}, {edge.target for edge in looping}
    if not looping:
        return
    children = _find_ends((edge.source, edge.target) for edge in wiring.inner_edges)
    parents = _find_ends((edge.target, edge.source) for edge in wiring.inner_edges)
    for group in groups:
        for tail in (node for node in group if node in tails):
            after = [node for node in group if node in heads and tail not in _find_reachable([node], children)]
            later = _find_reachable(after, children)
            feeding = _find_reachable(later, parents) - later
            later |= _find_only_feeding(later, feeding, wiring)
            if later and not any(find_original(node) in once for node in feeding - later):
                yield _split(wiring, later, feeding - later)


def _find_looping(groups: Sequence[Iterable[str]], edges: Iterable[Edge]) -> list[Edge]:
    """The shuffles whose rows return to their origin, directly or through others."""
    of = {node: number for number, group in enumerate(groups) for node in group}
    ends = _find_ends((of[edge.source], of[edge.target]) for edge in edges)
    behind = {number: _find_reachable([number], ends) for number in ends}
    return [edge for edge in edges if of[edge.source] in behind.get(of[edge.target], ())]


def _find_only_feeding(later: set[str], feeding: Collection[str], wiring: Wiring) -> set[str]:
    """Nodes that feed only a layer. They move into it."""
    moved_nodes: set[str] = set()
    for node in reversed(wiring.nodes):
        leaving = [edge for edge in wiring.edges if edge.source == node] if node in feeding else []
        if leaving and all(edge not in wiring.shuffles and edge.target in later | moved_nodes for edge in leaving):
            moved_nodes.add(node)
    return moved_nodes


def _split(wiring: Wiring, later: Collection[str], doubles: Collection[str]) -> Wiring:
    """The wiring with a separate layer for some nodes, and with clones of others in it."""
    clones = {node: _name_layer(node, wiring.nodes) for node in wiring.nodes if node in doubles}
    first = next(number for number, node in enumerate(wiring.nodes) if node in later)
    edges = [new for edge in wiring.edges for new in _connect_clones(edge, edge in wiring.shuffles, later, clones)]
    copies = {replace(edge, target=clones[edge.target]) for edge in wiring.shuffles if edge.target in clones}
    return Wiring(
        nodes=(*wiring.nodes[:first], *clones.values(), *wiring.nodes[first:]),
        edges=tuple(edges),
        shuffles=wiring.shuffles | copies,
        global_tables=wiring.global_tables,
    )


def _connect_clones(edge: Edge, is_shuffled: bool, later: Collection[str], clones: Mapping[str, str]) -> Iterator[Edge]:
    """Changes an edge. An edge to a clone comes from a clone, or else from the source of the original's edge."""
    source = edge.source if is_shuffled else clones.get(edge.source, edge.source)
    if edge.target in later:
        yield replace(edge, source=source)
        return
    yield edge
    if edge.target in clones:
        yield replace(edge, source=source, target=clones[edge.target])


def _name_layer(node: str, names: Collection[str]) -> str:
    name = node + AGAIN
    while name in names:
        name += AGAIN
    return name


def _find_ends(pairs: Iterable[tuple[Place, Place]]) -> dict[Place, set[Place]]:
    ends: dict[Place, set[Place]] = {}
    for start, end in pairs:
        ends.setdefault(start, set()).add(end)
    return ends


def _find_reachable(starts: Iterable[Place], ends: Mapping[Place, Iterable[Place]]) -> set[Place]:
    """The starts and all later nodes."""
    reached_places: set[Place] = set()
    waiting = list(starts)
    while waiting:
        place = waiting.pop()
        if place not in reached_places:
            reached_places.add(place)
            waiting.extend(ends.get(place, ()))
    return reached_places
