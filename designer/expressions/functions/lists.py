"""Lists: creation, queries, joins. Positions count from 1, but in brackets and `get` from 0, as in Spark."""

from __future__ import annotations

from typing import Any

from designer.expressions.errors import Fault
from designer.expressions.functions.limits import MAX_ITEMS, check_length
from designer.expressions.functions.table import function


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
def size(items: list[Any] | dict[str, Any]) -> int:
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


@function("array_contains(list: [C], item: C) -> boolean?")
def array_contains(items: list[Any], item: Any) -> bool | None:
    """True if the list contains the item; null if it does not but contains a null.
    array_contains(array(1, 2), 2)
    """
    return True if item in items else None if None in items else False


@function("array_position(list: [C], item: C) -> integer")
def array_position(items: list[Any], item: Any) -> int:
    """The first position of the item, from 1; 0 if the list does not contain it.
    array_position(array('a', 'b'), 'b') = 2
    """
    return items.index(item) + 1 if item in items else 0


@function("array_min(list: [C]) -> C?")
def array_min(items: list[Any]) -> Any:
    """The smallest item; nulls are ignored.
    array_min(array(3, 1, 2)) = 1
    """
    return min((item for item in items if item is not None), default=None)


@function("array_max(list: [C]) -> C?")
def array_max(items: list[Any]) -> Any:
    """The largest item; nulls are ignored.
    array_max(array(3, 1, 2)) = 3
    """
    return max((item for item in items if item is not None), default=None)


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
