"""How results of both versions for the same input record differ. Pure: from two lists of results to differences."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from runner.engine.formats.display import write_shown
from runner.engine.records.record import Origin
from runner.spark.proving.report import Grade
from runner.spark.proving.versions import Result, ResultPair


class Found(NamedTuple):
    """A difference in one batch: its input record, and the results of both versions."""

    grade: Grade
    origin: Origin
    results: ResultPair


def grade_results(
    old: Sequence[Result], new: Sequence[Result], *, are_dead_letters: bool
) -> Iterator[tuple[Grade, bytes | None, ResultPair]]:
    """Yield the differences between the results of one input record for one topic, by key.

    A result that only one version gives is paired with one of the same value and another key, if there is one.
    """
    ours, theirs = _by_key(old), _by_key(new)
    for key in ours:
        if key in theirs and ours[key] != theirs[key]:
            pair = ours[key], theirs[key]
            yield _grade_key(*pair, are_dead_letters=are_dead_letters), key, pair
    missing = {key: results for key, results in ours.items() if key not in theirs}
    extra = {key: results for key, results in theirs.items() if key not in ours}
    keys_by_values: dict[tuple[bytes | None, ...], deque[bytes | None]] = {}
    for key, results in missing.items():
        keys_by_values.setdefault(_list_values(results), deque()).append(key)
    for key, results in extra.items():
        if others := keys_by_values.get(_list_values(results)):
            yield "other_key", key, (missing.pop(others.popleft()), results)
        else:
            yield "extra", key, ([], results)
    for key, results in missing.items():
        yield "missing", key, (results, [])


def join_differences(several: Sequence[Found]) -> Iterator[Found]:
    """Yield the differences of one key in one batch, each missing result joined with an extra one.

    A cached table gives the newest row of a key once a batch, for the last record that changed it. If that is another
    record in the other version, it is still the same result, which differs since the later of both.
    """
    lone: dict[str, deque[Found]] = {"missing": deque(), "extra": deque()}
    for each in several:
        if each.grade in lone:
            lone[each.grade].append(each)
        else:
            yield each
    while lone["missing"] and lone["extra"]:
        missing, extra = lone["missing"].popleft(), lone["extra"].popleft()
        results = missing.results[0], extra.results[1]
        grade = "other_time" if results[0] == results[1] else _grade_key(*results, are_dead_letters=False)
        yield Found(grade, max(missing.origin, extra.origin), results)
    yield from (*lone["missing"], *lone["extra"])


def _grade_key(old: Sequence[Result], new: Sequence[Result], *, are_dead_letters: bool) -> Grade:
    """Return how results of one key differ, if both versions give some."""
    if are_dead_letters:
        return "other_failure"
    if sorted(old, key=repr) == sorted(new, key=repr):
        return "other_order"
    if [each.value for each in old] == [each.value for each in new]:
        return "other_time" if [each.headers for each in old] == [each.headers for each in new] else "other_value"
    return "same_last_value" if old[-1].value == new[-1].value else "other_value"


def _by_key(results: Sequence[Result]) -> dict[bytes | None, list[Result]]:
    found: dict[bytes | None, list[Result]] = {}
    for result in results:
        found.setdefault(result.key, []).append(result)
    return found


def _list_values(results: Sequence[Result]) -> tuple[bytes | None, ...]:
    return tuple(each.value for each in results)


def find_fields(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of fields in which two shown values differ. "" is the whole value."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one | other:
            if name not in one or name not in other:
                yield f"{path}.{name}".lstrip(".")
            else:
                yield from find_fields(one[name], other[name], f"{path}.{name}")
    elif write_shown(one) != write_shown(other):
        yield path.lstrip(".")


def gave_same(ours: Sequence[tuple[Any, ...]], theirs: Sequence[tuple[Any, ...]]) -> bool:
    """Return whether a node gave the same records in both versions. NaN equals itself here."""
    if ours == theirs:
        return True
    return len(ours) == len(theirs) and [*map(_show_given, ours)] == [*map(_show_given, theirs)]


def _show_given(record: tuple[Any, ...]) -> tuple[Any, ...]:
    port, key, value, timestamp = record
    return port, repr(key), write_shown(value), timestamp
