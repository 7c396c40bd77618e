"""Moves rows of an old layout to their places in a new one, and converts them to what the new version keeps there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from struct import Struct

from designer.topology.catalogue import Flows
from runner.engine.formats import DecodeError, EncodeError
from runner.engine.planning.layers import find_original
from runner.engine.planning.layout import Layout, Shuffle, Source, Store, Target, find_original_name
from runner.engine.planning.parts import find_owner
from runner.engine.records.record import MovedNumbers
from runner.engine.stores import SessionStore, SlidingWindowStore
from runner.engine.stores.by_key import move_index_key
from runner.engine.stores.conversion import Convert, can_keep_values, convert_row, make_conversion
from runner.engine.stores.state import GLOBAL_TASK, PREFIX, TIMES
from runner.engine.stores.versioned_store import convert_history
from runner.engine.tasks.holding import KeepsRecords
from runner.spark.codes import RunCode
from runner.spark.failures import RunFailed
from runner.spark.program import Place, Program
from runner.spark.stage.seed_rows import Chunk, cut
from runner.spark.state.rows import Row

INDEXED: Mapping[str, Struct] = {"sliding": SlidingWindowStore.times, "session": SessionStore.times}
"""The times in the index of a window store, by kind of its windows. Other kinds have no index."""
ConvertRow = Callable[[bytes, bytes], tuple[bytes, bytes]]
"""Makes a row one of the new version: its key behind `PREFIX`, and its value."""


@dataclass(frozen=True)
class Renumbering:
    """Maps the numbers of an old layout to those of a new one, for kept stores.

    Tasks keep their numbers, global tables are loaded again, and stream times go with the stores of their node. Stores
    of clones go with those of their originals. They begin as these if the old layout had no such clone.
    """

    new: Program
    stores: Mapping[int, Sequence[int]]
    """Old store number -> the new stores that begin with its rows."""
    times: Mapping[str, Sequence[str]] = field(repr=False)
    """Old node id -> the new nodes that continue from its stream times."""
    conversions: Mapping[int, ConvertRow] = field(default_factory=dict, repr=False)
    """Old store number -> what makes its rows those of the new version."""

    @classmethod
    def renumber(cls, old: Program, new: Program, stores: Iterable[str]) -> Renumbering:
        numbers = {store.name: n for n, store in enumerate(old.layout.stores) if store.sub_topology is not None}
        names, new_numbers = set(stores), dict[int, list[int]]()
        for number, store in enumerate(new.layout.stores):
            original = find_original_name(store)
            before = numbers.get(store.name, numbers.get(original))
            if before is not None and original in names:
                new_numbers.setdefault(before, []).append(number)
        conversions = make_conversions(old, new, {before: after[0] for before, after in new_numbers.items()})
        return cls(new, new_numbers, _find_kept_times(old.layout, new.layout, new_numbers), conversions)

    def move_row(self, row: Row) -> Iterator[tuple[Place, Row]]:
        """Yield each new place of a row, and the row as it is there. Nothing if it is not kept. Raises RunFailed."""
        key, value = row
        task, store = PREFIX.unpack_from(key)
        rest = key[PREFIX.size :]
        if task == GLOBAL_TASK:
            return
        if store == TIMES:
            node, slash, name = rest.decode().partition("/")
            for now in self.times.get(node, ()):
                yield (
                    self._find_place(self._find_home(now), task),
                    (PREFIX.pack(task, TIMES) + (now + slash + name).encode(), value),
                )
            return
        if store in self.conversions:
            rest, value = self.conversions[store](rest, value)
        for number in self.stores.get(store, ()):
            sub_topology = self.new.layout.stores[number].sub_topology
            assert sub_topology is not None
            yield self._find_place(sub_topology, task), (PREFIX.pack(task, number) + rest, value)

    def _find_home(self, node: str) -> int:
        return next(each.number for each in self.new.layout.sub_topologies if node in each.nodes)

    def _find_place(self, sub_topology: int, task: int) -> Place:
        return self.new.layout.sub_topologies[sub_topology].depth, self.new.slot_ids[task % len(self.new.slot_ids)]


def make_conversions(old: Program, new: Program, numbers: Mapping[int, int]) -> dict[int, ConvertRow]:
    """Return what converts the rows of old stores, by the number of the old store. Other stores keep their rows.

    `numbers` maps old stores to new ones. Values change with a schema, and keys of an index with the retention by which
    it is ordered. A conversion raises RunFailed.
    """
    found: dict[int, ConvertRow] = {}
    for before, after in numbers.items():
        kept, store = old.layout.stores[before], new.layout.stores[after]
        convert = _make_conversion_of_kept(old, new, kept, store) or _make_conversion_of_table(kept, store)
        if convert is not None:
            found[before] = partial(_convert, store, convert)
    return found


def _make_conversion_of_kept(old: Program, new: Program, kept: Store, store: Store) -> ConvertRow | None:
    """Return what converts a row of a store of records that wait in a node."""
    one, other = old.layout.nodes[kept.node], new.layout.nodes[store.node]
    operator, part = other.operator, store.part or ""
    if not isinstance(operator, KeepsRecords) or part not in operator.kept_ports:
        return None
    converts = _make_port_conversions(one.inputs, other.inputs, operator.kept_ports[part])
    moved = _find_moved_numbers(old.layout, new.layout, store)
    if not converts and one.operator == operator and old.layout.targets == new.layout.targets:
        return None
    return partial(operator.convert_kept, part, converts, moved)


def _find_moved_numbers(old: Layout, new: Layout, store: Store) -> MovedNumbers:
    """Return the new numbers of the targets that rows in a store may name."""
    assert store.sub_topology is not None
    own = {_name_target(new.targets[number]): number for number in new.targets_of((store.sub_topology,))}
    sources = {_name_target(each): number for number, each in enumerate(new.targets) if isinstance(each, Source)}
    names = [_name_target(each) for each in old.targets]
    return MovedNumbers(
        targets={number: own[name] for number, name in enumerate(names) if name in own},
        sources={number: sources[name] for number, name in enumerate(names) if name in sources},
    )


def _name_target(target: Target) -> tuple[str, str] | None:
    """Return what rows have in common that arrive at a target, in any layout: their topic, or where a shuffle leads."""
    match target:
        case Source(topic=topic):
            return "", topic
        case Shuffle(to_node=node, to_port=port):
            return node, port
        case _:
            return None


def _make_port_conversions(before: Flows, after: Flows, ports: Iterable[str]) -> dict[str, Convert]:
    """Return by port what converts the values that come to it, where they change and can be converted."""
    sides = {port: (before[port].schema.value, after[port].schema.value) for port in ports if port in before}
    found = {
        port: make_conversion(*both)
        for port, both in sides.items()
        if can_keep_values("key_value", *both, holds_records=True)
    }
    return {port: convert for port, convert in found.items() if convert is not None}


def _make_conversion_of_table(kept: Store, store: Store) -> ConvertRow | None:
    convert, move = make_conversion(kept.value, store.value), _make_move(kept, store)
    if convert is None and move is None:
        return None
    of_row = convert_history if store.part == "history" else convert_row

    def convert_both(key: bytes, data: bytes) -> tuple[bytes, bytes]:
        return key if move is None else move(key), data if convert is None else of_row(convert, key, data)

    return convert_both


def _make_move(kept: Store, store: Store) -> Callable[[bytes], bytes] | None:
    times = INDEXED.get(store.window.kind) if store.window is not None else None
    if times is None or store.retention_ms is None or kept.retention_ms == store.retention_ms:
        return None
    return partial(move_index_key, times=times, retention_ms=store.retention_ms)


def _convert(store: Store, convert: ConvertRow, key: bytes, value: bytes) -> tuple[bytes, bytes]:
    try:
        return convert(key, value)
    except (EncodeError, DecodeError) as error:
        raise RunFailed(
            RunCode.STATE_NOT_CONVERTED,
            f"A value of the store `{store.name}` cannot be read as the new version declares it: {error}",
            "Go back to the version before, or give the store another name, so that it begins empty.",
            node=store.node,
        ) from error


def _find_kept_times(old: Layout, new: Layout, stores: Iterable[int]) -> dict[str, list[str]]:
    """Return by old node the new nodes that continue its stream times: parts of nodes with a kept store, and clones."""
    owners = {find_owner(old.stores[number].node) for number in stores}
    nodes: dict[str, list[str]] = {}
    for node in (node for each in new.sub_topologies for node in each.nodes if find_owner(node) in owners):
        nodes.setdefault(node if node in old.nodes else find_original(node), []).append(node)
    return nodes


def make_chunks(rows: Iterable[Row], move: Renumbering) -> Iterator[Chunk]:
    """Yield kept rows by their new place. Raises RunFailed."""
    return cut(chain.from_iterable(map(move.move_row, rows)))
