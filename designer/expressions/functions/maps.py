"""Maps: texts to values of one type, like JSON's objects without fixed member names. A struct counts as one.

They keep the order of their keys. For a repeated key the later value counts (Spark raises an error, unless its
`mapKeyDedupPolicy` is LAST_WIN). `map_put` and `map_remove` are not Spark's.
"""

from __future__ import annotations

from typing import Any

from designer.expressions.errors import Fault
from designer.expressions.functions.limits import MAX_ITEMS
from designer.expressions.functions.table import function
from designer.values.tuples import MapValue, StructValue


@function("map([keys_and_values: any...]) -> {any}", takes_nulls=True)
def map_(*keys_and_values: Any) -> MapValue:
    """A map of these keys (texts), each followed by its value; an empty map without arguments.
    map('a', 1, 'b', 2)['b'] = 2
    map('a', 1)['z'] IS NULL
    size(map()) = 0
    """
    keys = keys_and_values[::2]
    if None in keys:
        raise Fault("A key of the map is null.")
    return dict(zip(keys, keys_and_values[1::2], strict=True))


@function("map_put(map: {T}, key: string, value: T) -> {T}", takes_nulls=True)
def map_put(entries: MapValue | None, key: str | None, value: Any) -> MapValue:
    """The map with this value for the key; it replaces an earlier value. A null map counts as empty.
    map_put(map('a', 1), 'b', 2)['b'] = 2
    map_put(map('a', 1), 'a', 5)['a'] = 5
    """
    if key is None:
        raise Fault("The key to put into the map is null.")
    return _check_size({**(entries or {}), key: value})


@function("map_remove(map: {T}, key: string) -> {T}")
def map_remove(entries: MapValue, key: str) -> MapValue:
    """The map without this key.
    size(map_remove(map('a', 1, 'b', 2), 'a')) = 1
    """
    return {name: value for name, value in entries.items() if name != key}


@function("map_contains_key(map: {any}, key: string) -> boolean")
def map_contains_key(entries: MapValue, key: str) -> bool:
    """True if the map has the key, even with a null value.
    map_contains_key(map('a', NULL), 'a')
    """
    return key in entries


@function("map_keys(map: {any}) -> [string]")
def map_keys(entries: MapValue) -> list[str]:
    """The keys, in the order in which they were added.
    array_join(map_keys(map('b', 1, 'a', 2)), ',') = 'b,a'
    """
    return list(entries)


@function("map_values(map: {T}) -> [T]")
def map_values(entries: MapValue) -> list[Any]:
    """The values, in the order of the keys.
    array_max(map_values(map('a', 1, 'b', 7))) = 7
    """
    return list(entries.values())


@function("map_entries(map: {any}) -> [any]")
def map_entries(entries: MapValue) -> list[StructValue]:
    """A list of structs with `key` and `value`, in the order of the keys.
    map_entries(map('a', 1))[0].key = 'a'
    """
    return [{"key": key, "value": value} for key, value in entries.items()]


@function("map_from_entries(entries: [any]) -> {any}")
def map_from_entries(entries: list[Any]) -> MapValue:
    """A map of structs with `key` and `value`, such as the headers of a record.
    map_from_entries(array(named_struct('key', 'a', 'value', 1)))['a'] = 1
    """
    if not all(type(entry) is dict and type(entry.get("key")) is str for entry in entries):
        raise Fault("An entry is not a struct with a text as its `key`.")
    return {entry["key"]: entry.get("value") for entry in entries}


@function("map_from_arrays(keys: [string], values: [T]) -> {T}")
def map_from_arrays(keys: list[str], values: list[Any]) -> MapValue:
    """A map of the keys in one list and the values at the same positions of another.
    map_from_arrays(array('a', 'b'), array(1, 2))['b'] = 2
    """
    if len(keys) != len(values):
        raise Fault(f"There are {len(keys)} keys and {len(values)} values; expected the same number of both.")
    if not all(type(key) is str for key in keys):
        raise Fault("A key of the map is not a text.")
    return dict(zip(keys, values, strict=True))


@function("map_concat(map: {T}, others: {T}...) -> {T}")
def map_concat(*maps: MapValue) -> MapValue:
    """All entries of the maps in one.
    map_concat(map('a', 1, 'b', 1), map('b', 2))['b'] = 2
    """
    return _check_size({key: value for entries in maps for key, value in entries.items()})


def _check_size(entries: MapValue) -> MapValue:
    if len(entries) > MAX_ITEMS:
        raise Fault(f"The map would have {len(entries):,} entries; at most {MAX_ITEMS:,} are allowed.")
    return entries
