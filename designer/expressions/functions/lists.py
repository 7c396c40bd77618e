"""Lists: creation, queries, joins. Positions count from 1, but in brackets and `get` from 0, as in Spark."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from designer.expressions.errors import Fault
from designer.expressions.functions.limits import MAX_ITEMS, check_items, check_length
from designer.expressions.functions.table import function
from designer.values.tuples import MapValue, UnionValue


@function("array([items: T...]) -> [T]", takes_nulls=True)
def array(*items: Any) -> list[Any]:
    """A list of these items.
    size(array(1, 2, 3)) = 3
    size(array()) = 0
    """
    return list(items)


@function("sequence(start: integer, stop: integer, [step: integer]) -> [integer]")
def sequence(start: int, stop: int, step: int | None = None) -> list[int]:
    """The integers from start to stop, both included; downwards if stop is smaller, unless you give a step.
    size(sequence(1, 5)) = 5
    sequence(3, 1)[2] = 1
    sequence(0, 10, 5)[1] = 5
    """
    by = step if step is not None else 1 if stop >= start else -1
    if (by == 0 and start != stop) or by * (stop - start) < 0:
        raise Fault(f"sequence cannot go from {start} to {stop} in steps of {by}.")
    count = 1 if start == stop else (stop - start) // by + 1
    if count > MAX_ITEMS:
        raise Fault(f"sequence would give {count:,} items; at most {MAX_ITEMS:,} are allowed.")
    return [start + by * number for number in range(count)]


@function("size(collection: collection) -> integer", "cardinality", "array_size")
def size(items: list[Any] | MapValue) -> int:
    """The number of items of a list, or of entries of a map.
    size(split('a,b', ',')) = 2
    """
    return len(items)


@function("element_at(list: [T], position: integer) -> T?")
def element_at(items: list[Any], position: int) -> Any:
    """The item at a position. Positions start at 1; negative ones count from the end. Past the end is an error.
    element_at(array(1, 2, 3), -1) = 3
    """
    if position == 0 or not -len(items) <= position <= len(items):
        raise Fault(f"There is no item {position} in a list of {len(items)}; try_element_at gives null instead.")
    return items[position - 1 if position > 0 else position]


@function("try_element_at(list: [T], position: integer) -> T?")
def try_element_at(items: list[Any], position: int) -> Any:
    """The item at a position. Positions start at 1; negative ones count from the end. Past the end it gives null.
    try_element_at(array(1, 2, 3), 9) IS NULL
    """
    if position == 0 or not -len(items) <= position <= len(items):
        return None
    return items[position - 1 if position > 0 else position]


@function("get(list: [T], index: integer) -> T?")
def get(items: list[Any], index: int) -> Any:
    """The item at an index, which starts at 0; null past the end.
    get(array(1, 2, 3), 0) = 1
    get(array(1, 2, 3), 3) IS NULL
    """
    return items[index] if 0 <= index < len(items) else None


def make_order(*, are_nulls_first: bool) -> Callable[[Any], Any]:
    """The key of an item in Spark's order: NaN is greater than all numbers."""
    null = (0,) if are_nulls_first else (2,)
    return lambda item: null if item is None else (1, item != item, 0 if item != item else item)


def identify(value: Any) -> Any:
    """What is equal for values that Spark takes for the same: NaN equals itself, 0.0 equals -0.0, true is no number."""
    kind = type(value)
    if kind is list:
        return (list, *map(identify, value))
    if kind is dict:
        return (dict, *((name, identify(each)) for name, each in value.items()))
    if value != value:
        return "NaN", float
    return (value, bool) if kind is bool else (identify(value.value), value.tag) if kind is UnionValue else value


def is_same(one: Any, other: Any) -> bool:
    return bool(one == other and (type(one) is bool) == (type(other) is bool)) or (one != one and other != other)


@function("array_contains(list: [C], item: C) -> boolean?")
def array_contains(items: list[Any], item: Any) -> bool | None:
    """True if the list contains the item; null if it does not but contains a null.
    array_contains(array(1, 2), 2)
    """
    if item in items if type(item) is str else any(is_same(each, item) for each in items):
        return True
    return None if None in items else False


@function("array_position(list: [C], item: C) -> integer")
def array_position(items: list[Any], item: Any) -> int:
    """The first position of the item, from 1; 0 if the list does not contain it.
    array_position(array('a', 'b'), 'b') = 2
    """
    return next((place for place, each in enumerate(items, 1) if is_same(each, item)), 0)


@function("array_min(list: [C]) -> C?")
def array_min(items: list[Any]) -> Any:
    """The smallest item; nulls are ignored. NaN is larger than all numbers.
    array_min(array(3, 1, 2)) = 1
    """
    return min((item for item in items if item is not None), default=None, key=ORDER)


@function("array_max(list: [C]) -> C?")
def array_max(items: list[Any]) -> Any:
    """The largest item; nulls are ignored. NaN is larger than all numbers.
    array_max(array(3, 1, 2)) = 3
    """
    return max((item for item in items if item is not None), default=None, key=ORDER)


ORDER = make_order(are_nulls_first=True)


@function("sort_array(list: [C], [ascending: boolean]) -> [C]")
def sort_array(items: list[Any], ascending: bool = True) -> list[Any]:
    """The items in order: ascending with nulls first, or descending with nulls last. NaN is larger than all numbers.
    sort_array(array(3, NULL, 1))[0] IS NULL
    sort_array(array(3, NULL, 1), FALSE)[0] = 3
    """
    return sorted(items, key=ORDER, reverse=not ascending)


@function("array_append(list: [T], item: T) -> [T]?", takes_nulls=True)
def array_append(items: list[Any] | None, item: Any) -> list[Any] | None:
    """The list with an item added at its end. A null list gives null.
    array_append(array(1, 2), 3)[2] = 3
    array_append(array(1), NULL)[1] IS NULL
    """
    if items is None:
        return None
    check_items(len(items) + 1)
    return [*items, item]


@function("array_prepend(list: [T], item: T) -> [T]?", takes_nulls=True)
def array_prepend(items: list[Any] | None, item: Any) -> list[Any] | None:
    """The list with an item added at its start. A null list gives null.
    array_prepend(array(1, 2), 0)[0] = 0
    """
    if items is None:
        return None
    check_items(len(items) + 1)
    return [item, *items]


@function("array_remove(list: [C], item: C) -> [C]")
def array_remove(items: list[Any], item: Any) -> list[Any]:
    """The list without all items equal to this one. Nulls stay.
    array_join(array_remove(array('a', 'b', 'a'), 'a'), ',') = 'b'
    """
    return [each for each in items if not is_same(each, item)]


@function("array_compact(list: [T]) -> [T]")
def array_compact(items: list[Any]) -> list[Any]:
    """The list without nulls.
    size(array_compact(array(1, NULL))) = 1
    """
    return [item for item in items if item is not None]


@function("array_distinct(list: [T]) -> [T]")
def array_distinct(items: list[Any]) -> list[Any]:
    """Each item once, at its first place.
    size(array_distinct(array(1, 2, 1, NULL, NULL))) = 3
    """
    return _take_first(items)


@function("array_union(left: [T], right: [T]) -> [T]")
def array_union(left: list[Any], right: list[Any]) -> list[Any]:
    """The items of both lists, each once.
    size(array_union(array(1, 2), array(2, 3))) = 3
    """
    items = _take_first([*left, *right])
    check_items(len(items))
    return items


@function("array_intersect(left: [T], right: [T]) -> [T]")
def array_intersect(left: list[Any], right: list[Any]) -> list[Any]:
    """The items that both lists contain, each once, in the order of the first list.
    array_intersect(array(1, 2), array(2, 3))[0] = 2
    """
    others = set(map(identify, right))
    return [item for item in _take_first(left) if identify(item) in others]


@function("array_except(left: [T], right: [T]) -> [T]")
def array_except(left: list[Any], right: list[Any]) -> list[Any]:
    """The items of the first list that the second does not contain, each once.
    array_except(array(1, 2), array(2, 3))[0] = 1
    """
    others = set(map(identify, right))
    return [item for item in _take_first(left) if identify(item) not in others]


@function("arrays_overlap(left: [T], right: [T]) -> boolean?")
def arrays_overlap(left: list[Any], right: list[Any]) -> bool | None:
    """True if the lists have an item in common that is not null; null if they have none, but one contains a null.
    arrays_overlap(array(1, 2), array(2))
    """
    others = {identify(item) for item in right if item is not None}
    if any(identify(item) in others for item in left if item is not None):
        return True
    return None if left and right and (None in left or None in right) else False


@function("array_repeat(item: T, count: integer) -> [T]?", takes_nulls=True)
def array_repeat(item: Any, count: int | None) -> list[Any] | None:
    """A list of an item, so many times.
    size(array_repeat('a', 2)) = 2
    """
    if count is None:
        return None
    check_items(count)
    return [item] * count


@function("flatten(lists: [any]) -> [any]?")
def flatten(lists: list[Any]) -> list[Any] | None:
    """The items of the lists in a list, in one list. Null if one of them is null.
    flatten(array(array(1), array(2, 3)))[2] = 3
    """
    if None in lists:
        return None
    if not all(type(each) is list for each in lists):
        raise Fault("flatten takes a list of lists, but an item is not a list.")
    check_items(sum(map(len, lists)))
    return list(chain.from_iterable(lists))


def _take_first(items: list[Any]) -> list[Any]:
    """Each item once."""
    by_identity: dict[Any, Any] = {}
    for item in items:
        by_identity.setdefault(identify(item), item)
    return list(by_identity.values())


@function("slice(list: [T], start: integer, length: integer) -> [T]")
def slice_(items: list[Any], start: int, length: int) -> list[Any]:
    """The given number of items from a position. Positions start at 1; negative ones count from the end.
    slice(array(1, 2, 3), 2, 2)[0] = 2
    """
    if start == 0 or length < 0:
        raise Fault("In slice, positions start at 1, and the length cannot be negative.")
    first = start - 1 if start > 0 else len(items) + start
    return items[first : first + length] if first >= 0 else []


@function("array_join(list: [string], separator: string, [for_null: string]) -> string")
def array_join(items: list[str | None], separator: str, for_null: str | None = None) -> str:
    """The items joined by a separator. Nulls are left out, or replaced by `for_null`.
    array_join(array('a', NULL, 'b'), '-') = 'a-b'
    array_join(array('a', NULL), '-', '?') = 'a-?'
    """
    texts = [for_null if item is None else item for item in items]
    present = [text for text in texts if text is not None]
    check_length(sum(map(len, present)) + len(separator) * len(present))
    return separator.join(present)
