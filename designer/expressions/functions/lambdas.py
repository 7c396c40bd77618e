"""Functions that call a lambda for each item of a list, or for each entry of a map. Nulls are Spark's.

They take a null list as an argument and give null. The check (`designer.expressions.collection_forms`) finds the types.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cmp_to_key
from itertools import zip_longest
from typing import Any

from designer.expressions.errors import Fault
from designer.expressions.functions.limits import Steps
from designer.expressions.functions.lists import make_order
from designer.expressions.functions.table import function
from designer.values.tuples import MapValue

Lambda = Callable[..., Any]


@function("transform(list: [T], change: lambda) -> [any]?", takes_nulls=True)
def transform(steps: Steps, items: list[Any] | None, change: Lambda) -> list[Any] | None:
    """The list with each item changed by a lambda of the item, or of the item and its index, which starts at 0.
    array_join(transform(array('a', 'b'), x -> upper(x)), '') = 'AB'
    transform(array(5, 6), (x, i) -> x * i)[1] = 6
    """
    if items is None:
        return None
    steps.take(len(items))
    take = steps.take_value
    return [take(change(item)) for item in items]


def transform_with_index(steps: Steps, items: list[Any] | None, change: Lambda) -> list[Any] | None:
    if items is None:
        return None
    steps.take(len(items))
    take = steps.take_value
    return [take(change(item, index)) for index, item in enumerate(items)]


@function("filter(list: [T], keep: lambda) -> [T]?", takes_nulls=True)
def filter_(steps: Steps, items: list[Any] | None, keep: Lambda) -> list[Any] | None:
    """The items for which a lambda of the item, or of the item and its index, is true.
    size(filter(array(1, 2, 3), x -> x > 1)) = 2
    filter(array(7, 8), (x, i) -> i > 0)[0] = 8
    """
    if items is None:
        return None
    steps.take(len(items))
    return [item for item in items if keep(item)]


def filter_with_index(steps: Steps, items: list[Any] | None, keep: Lambda) -> list[Any] | None:
    if items is None:
        return None
    steps.take(len(items))
    return [item for index, item in enumerate(items) if keep(item, index)]


@function("exists(list: [T], test: lambda) -> boolean?", takes_nulls=True)
def exists(steps: Steps, items: list[Any] | None, test: Lambda) -> bool | None:
    """True if a lambda is true for an item; null if it is true for none, but null for one.
    exists(array(1, 2), x -> x > 1)
    exists(array(1, NULL), x -> x > 1) IS NULL
    """
    return _decide(steps, items, test, decides=True)


@function("forall(list: [T], test: lambda) -> boolean?", takes_nulls=True)
def forall(steps: Steps, items: list[Any] | None, test: Lambda) -> bool | None:
    """True if a lambda is true for all items; null if it is false for none, but null for one.
    forall(array(1, 2), x -> x > 0)
    forall(array(), x -> FALSE)
    """
    return _decide(steps, items, test, decides=False)


def _decide(steps: Steps, items: list[Any] | None, test: Lambda, *, decides: bool) -> bool | None:
    if items is None:
        return None
    steps.take(len(items))
    answer: bool | None = not decides
    for item in items:
        found: bool | None = test(item)
        if found is decides:
            return decides
        if found is None:
            answer = None
    return answer


@function("aggregate(list: [T], start: any, merge: lambda, [finish: lambda]) -> any?", "reduce", takes_nulls=True)
def aggregate(steps: Steps, items: list[Any] | None, start: Any, merge: Lambda, finish: Lambda | None = None) -> Any:
    """One value of all items: a lambda of the value so far and an item gives the next one. A last lambda may change it.
    aggregate(array(1, 2, 3), 0, (sum, x) -> sum + x) = 6
    aggregate(array(1.0, 2.0), 0.0, (sum, x) -> sum + x, sum -> sum / 2) = 1.5
    """
    if items is None:
        return None
    steps.take(len(items))
    value = start
    for item in items:
        value = merge(value, item)
        if type(value) in SIZED:  # a list that grows is copied for each item
            steps.take(len(value) >> 5)
    return value if finish is None else finish(value)


SIZED = (list, dict, str)


@function("zip_with(left: [T], right: [T], merge: lambda) -> [any]?", takes_nulls=True)
def zip_with(steps: Steps, left: list[Any] | None, right: list[Any] | None, merge: Lambda) -> list[Any] | None:
    """A list of what a lambda makes of the items at the same positions of two lists. The shorter one ends with nulls.
    zip_with(array(1, 2), array(10, 20), (x, y) -> x + y)[1] = 22
    zip_with(array(1, 2), array(10), (x, y) -> coalesce(y, x))[1] = 2
    """
    if left is None or right is None:
        return None
    steps.take(max(len(left), len(right)))
    take = steps.take_value
    return [take(merge(one, other)) for one, other in zip_longest(left, right)]


@function("map_filter(map: {T}, keep: lambda) -> {T}?", takes_nulls=True)
def map_filter(steps: Steps, entries: MapValue | None, keep: Lambda) -> MapValue | None:
    """The entries for which a lambda of key and value is true.
    size(map_filter(map('a', 1, 'b', 2), (k, v) -> v > 1)) = 1
    """
    if entries is None:
        return None
    steps.take(len(entries))
    return {key: value for key, value in entries.items() if keep(key, value)}


@function("transform_values(map: {T}, change: lambda) -> {any}?", takes_nulls=True)
def transform_values(steps: Steps, entries: MapValue | None, change: Lambda) -> MapValue | None:
    """The map with each value changed by a lambda of key and value.
    transform_values(map('a', 1), (k, v) -> v + 1)['a'] = 2
    """
    if entries is None:
        return None
    steps.take(len(entries))
    take = steps.take_value
    return {key: take(change(key, value)) for key, value in entries.items()}


@function("transform_keys(map: {T}, change: lambda) -> {T}?", takes_nulls=True)
def transform_keys(steps: Steps, entries: MapValue | None, change: Lambda) -> MapValue | None:
    """The map with each key changed by a lambda of key and value. Of equal keys the later entry counts.
    transform_keys(map('a', 1), (k, v) -> upper(k))['A'] = 1
    """
    if entries is None:
        return None
    steps.take(len(entries))
    changed = {steps.take_value(change(key, value)): value for key, value in entries.items()}
    if None in changed:
        raise Fault("A key of the map is null.")
    return changed


@function("array_sort(list: [T], [compare: lambda]) -> [T]?", takes_nulls=True)
def array_sort(steps: Steps, items: list[Any] | None, compare: Lambda | None = None) -> list[Any] | None:
    """The items in ascending order, nulls last; or in that of a lambda, below 0 if its first item comes first.
    array_sort(array(3, NULL, 1))[0] = 1
    array_sort(array('bb', 'a'), (x, y) -> length(x) - length(y))[0] = 'a'
    """
    if items is None:
        return None
    if compare is None:
        return sorted(items, key=make_order(are_nulls_first=False))
    call = compare

    def order(one: Any, other: Any) -> int:
        steps.take(1)
        answer = call(one, other)
        if answer is None:
            raise Fault("The lambda of array_sort gives null; expected an integer.")
        return int(answer)

    return sorted(items, key=cmp_to_key(order))
