"""Records that passed each node of a task, derived on demand from the counts of processors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from designer.reasons import Reason
from designer.topology.graph import Edge
from runner.engine.counts.drops import Drops, describe_drops
from runner.engine.counts.drops import add as add_drops
from runner.engine.counts.outcomes import Outcomes, add_outcomes
from runner.engine.planning.layers import find_original, is_clone
from runner.engine.planning.layout import Shuffle
from runner.engine.planning.parts import find_owner
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.task_context import TaskContext

Counters = dict[str, dict[str, int]]
"""By node: in, out, dropped, errors, and where they apply no_match, closed_idle and unlikely_times."""


class TaskCounts(NamedTuple):
    """Counts of each node, and the outcome of records that are neither out, dropped nor failed."""

    counters: Counters
    outcomes: Outcomes


def count_passed(task: TaskContext) -> TaskCounts:
    """The counts of a task. Clones and parts of a node count as the drawn node."""
    counts = TaskCounts({}, {})
    arrivals, inner, leaving, in_parts = (
        _count_arrived(task),
        _count_inner(task),
        _count_failed_on_leaving(task),
        _count_failed_in_parts(task),
    )
    errors_for_others, errors_at_others = _count_asked(task)
    for node, processor in task.processors.items():
        owner = find_owner(node)
        is_part = owner != find_original(node)
        errors = in_parts[node] if is_part else task.errors.by_node[owner] - in_parts[owner] - errors_for_others[owner]
        errors += errors_at_others[node]
        input_count, left = arrivals[node], leaving[node] if _has_other_ways_out(task, node) else 0
        out = (
            input_count - errors + left if processor is None else processor.count_forwarded(input_count, errors) + left
        )
        if not is_clone(node):
            at = _count_entered(counts.counters, owner, input_count - inner[node], task.errors.by_node)
            if processor is not None:
                at["dropped"] += processor.drop_count
                _write(counts.outcomes, owner, processor, input_count, errors)
            if left or errors_for_others[node] or errors_at_others[node]:
                elsewhere = {Reason.ERROR_ELSEWHERE.text: errors_at_others[node]} if errors_at_others[node] else {}
                add_outcomes(counts.outcomes, owner, elsewhere, extra=left + errors_for_others[node])
        if node in counts.counters:
            counts.counters[node]["out"] += out
            if processor is not None:
                counts.counters[node].update(processor.get_other_counts())
        for edge in _find_edges_within(task, node):
            arrivals[edge.target] += _count_out(processor, edge.source_port, out, input_count, errors)
    for node, count in task.errors.dead_letters.items():
        add_outcomes(counts.outcomes, node, {}, dead_letters=count)
    for node, count in task.unlikely_times.items():
        if not is_clone(node):
            counts.counters[find_owner(node)]["unlikely_times"] = count
    for shuffle, processor in task.shuffles:
        if processor.drop_count and not is_clone(shuffle.to_node):
            at = counts.counters.setdefault(find_owner(shuffle.to_node), {"in": 0, "out": 0, "dropped": 0, "errors": 0})
            if find_owner(shuffle.from_node) != find_owner(shuffle.to_node):
                at["in"] += processor.drop_count
            at["dropped"] += processor.drop_count
    return counts


def make_drops(task: TaskContext) -> Drops:
    """By node: reasons for dropped or lost records, their number, and the first of them."""
    own: Drops = {}
    dropping = [(node, each) for node, each in task.processors.items() if each is not None]
    for node, each in (*dropping, *((shuffle.to_node, each) for shuffle, each in task.shuffles)):
        if (each.reasons or each.lost_rows) and not is_clone(node):
            drops = describe_drops(
                task.layout, each.reasons, each.lost_rows, lambda target: task.entrances[target].decode_key
            )
            add_drops(own, {find_owner(node): drops})
    return own


def _count_arrived(task: TaskContext) -> Counter[str]:
    """Rows from outside, by the node that they reached."""
    arrivals: Counter[str] = Counter()
    for target, count in task.input_counts.items():
        arrivals[task.layout.node_entered(target)] += count
    return arrivals


def _count_inner(task: TaskContext) -> Counter[str]:
    """Rows from another part of the same node, by the part that they reached."""
    inner: Counter[str] = Counter()
    for target, count in task.input_counts.items():
        shuffle = task.layout.targets[target]
        if isinstance(shuffle, Shuffle) and find_owner(shuffle.from_node) == find_owner(shuffle.to_node):
            inner[shuffle.to_node] += count
    return inner


def _count_failed_on_leaving(task: TaskContext) -> Counter[str]:
    """Records whose key no shuffle could write, by the node of the error."""
    failures: Counter[str] = Counter()
    for shuffle, processor in task.shuffles:
        failures[shuffle.from_node] += processor.failure_count
    return failures


def _count_failed_in_parts(task: TaskContext) -> Counter[str]:
    """Errors by part of a node, and by node those of all its parts. The part that gives its result is left out."""
    failures: Counter[str] = Counter()
    for node, processor in task.processors.items():
        if processor is not None and processor.failure_count:
            failures[node] += processor.failure_count
            failures[find_owner(node)] += processor.failure_count
    return failures


def _count_asked(task: TaskContext) -> tuple[Counter[str], Counter[str]]:
    """Errors on records at another node: by the node of the error, and by the node of the record."""
    errors_for_others: Counter[str] = Counter()
    errors_at_others: Counter[str] = Counter()
    for (node, by), count in task.errors.by_asker.items():
        errors_for_others[node] += count
        errors_at_others[by] += count
    return errors_for_others, errors_at_others


def _has_other_ways_out(task: TaskContext, node: str) -> bool:
    """True if a record that failed on its way into a shuffle continued elsewhere."""
    return len(task.layout.children[node]) > 1


def _count_out(processor: Processor | None, output: str, out: int, input_count: int, errors: int) -> int:
    if processor is None or not processor.branches:
        return out
    return processor.count_forwarded_to(output, input_count, errors)


def _find_edges_within(task: TaskContext, node: str) -> Iterable[Edge]:
    shuffle = task.layout.shuffle_of
    return (edge for edge in task.layout.children[node] if (edge.target, edge.target_port) not in shuffle)


def _count_entered(counters: Counters, node: str, input_count: int, errors: Mapping[str, int]) -> dict[str, int]:
    """The counters of a node, with the records that reached it or one of its parts."""
    at = counters.setdefault(node, {"in": 0, "out": 0, "dropped": 0, "errors": errors[node]})
    at["in"] += input_count
    return at


def _write(outcomes: Outcomes, node: str, processor: Processor, input_count: int, errors: int) -> None:
    silence = processor.without_result(input_count, errors)
    if silence or processor.extra or processor.waiting:
        add_outcomes(outcomes, node, silence, extra=processor.extra, waiting=processor.waiting)
