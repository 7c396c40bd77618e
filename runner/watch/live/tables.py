"""Live numbers as text for the command line. Without Django, for remote commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from runner.control.jobs.text import align

JOBS = ("job", "status", "version", "records/s", "lag", "latency", "state rows", "note")
NODES = ("node", "in", "extra", "out", "no result", "waiting", "dropped", "errors", "records/s")
"""The columns of a node: in + extra = out + no result + waiting + dropped + errors."""


def write_jobs_table(jobs: Iterable[tuple[str, int, dict[str, Any]]]) -> str:
    """A row for each job with its version and state. Below a failed one, the next step."""
    entries = list(jobs)
    head, *rows = align([JOBS, *(make_job_row(*job) for job in entries)]).split("\n")
    return "\n".join([head, *(with_step(row, state) for row, (_, _, state) in zip(rows, entries, strict=True))])


def make_job_row(name: str, version: int, state: dict[str, Any]) -> tuple[str, ...]:
    numbers = state["numbers"] or {}
    return (
        name,
        state["status"],
        str(version),
        count(numbers.get("rate")),
        count(numbers.get("lag")),
        write_milliseconds(numbers.get("latency_ms")),
        count(numbers.get("state", {}).get("rows")),
        describe_state(state),
    )


def write_details(state: dict[str, Any]) -> str:
    """The numbers of a job's nodes, and the executors that its run has lost."""
    nodes = (state["numbers"] or {}).get("nodes", {})
    lines = describe_lost(state)
    table = align([NODES, *(make_node_row(name, numbers) for name, numbers in nodes.items())])
    return "\n".join(["", table, *(["", *lines] if lines else [])])


def describe_lost(state: dict[str, Any], before: dict[str, Any] | None = None) -> list[str]:
    """A line for each lost executor of the run with more facts than in the state before."""
    known_executors = before["lost_executors"] if before else []
    return [describe_lost_executor(each) for each in state["lost_executors"] if each not in known_executors]


def describe_lost_executor(loss: Mapping[str, Any]) -> str:
    """When, where and why an executor was lost, and the cost."""
    at = datetime.fromtimestamp(loss["at"] / 1_000, UTC)
    return f"{at:%Y-%m-%d %H:%M:%S} UTC: {loss['title']} {loss['text']}"


def make_node_row(name: str, numbers: dict[str, Any]) -> tuple[str, ...]:
    no_result = sum(numbers.get("no_result", {}).values())
    values = {"extra": 0, "waiting": 0, **numbers, "no result": no_result, "records/s": numbers["rate"]}
    return (name, *(count(values[part]) for part in NODES[1:]))


def is_new(state: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether something happened since another state."""
    return any(state[name] != before[name] for name in ("sequence", "status", "lost_executors"))


def write_line(state: dict[str, Any]) -> str:
    numbers = state["numbers"] or {}
    parts = (
        f"{datetime.now():%H:%M:%S} {state['status']:<9}",
        f"{count(numbers.get('rate')):>9} records/s",
        f"lag {count(numbers.get('lag')):>9}",
        f"latency {write_milliseconds(numbers.get('latency_ms')):>8}",
        f"in {count(numbers.get('records_in')):>11}",
        *(f"{name} {count(total)}" for name in ("dropped", "errors", "waiting") if (total := add_up(numbers, name))),
        describe_state(state),
    )
    return with_step("  ".join(parts).rstrip(), state)


def with_step(text: str, state: dict[str, Any]) -> str:
    """The text, and the next step on its own line."""
    trouble = _find_trouble(state)
    return f"{text}\n  {_write_line(trouble['hint'])}" if trouble and trouble["hint"] else text


def add_up(numbers: dict[str, Any], name: str) -> int:
    """The sum of a number over all nodes."""
    return sum(node.get(name, 0) for node in numbers.get("nodes", {}).values())


def describe_state(state: dict[str, Any]) -> str:
    """Why it does not run, that its numbers are old, or what a transaction holds up."""
    if trouble := _find_trouble(state):
        return _write_line(trouble["message"])
    if state["status"] != "running":
        return ""
    numbers = state["numbers"] or {}
    held_up = numbers.get("held_up")
    waits = f"{count(held_up)} records wait behind an open transaction{_name_owner(numbers)}" if held_up else ""
    return "numbers are old" if state["is_stale"] else "; ".join(filter(None, (waits, _name_awaited(numbers))))


def _find_trouble(state: dict[str, Any]) -> dict[str, Any] | None:
    """Why it does not run: the job's problem, else the failure of its run, or of the previous one during a retry."""
    is_wanted = state["desired"] == "running"
    cause: dict[str, Any] | None = (
        state["problem"] or (state["failure"] if is_wanted else None) or state["last_failure"]
    )
    return cause


def _write_line(text: str) -> str:
    return " ".join(text.split())


def _name_awaited(numbers: dict[str, Any]) -> str:
    """The topics with records that wait for a schema, and the registry's reason."""
    waiting = [(topic, source.get("awaits_schema")) for topic, source in numbers.get("sources", {}).items()]
    return "; ".join(
        f"records of {topic} wait for schema {awaited['id']}: {awaited['why']}" for topic, awaited in waiting if awaited
    )


def _name_owner(numbers: dict[str, Any]) -> str:
    """The producer, and since when. Empty while unknown."""
    return next(
        (f" {describe_holder(holder)}" for source in numbers["sources"].values() if (holder := source.get("held_by"))),
        "",
    )


def describe_holder(holder: Mapping[str, Any]) -> str:
    """
    >>> describe_holder({"producer_id": 4, "transactional_id": "orders-1", "since": 0, "timeout_ms": 60_000})
    'of producer orders-1 since 1970-01-01 00:00:00 UTC'
    """
    name = holder["transactional_id"] or f"id {holder['producer_id']}"
    end = "" if holder["transactional_id"] else "; Kafka does not end it by itself"
    return f"of producer {name} since {datetime.fromtimestamp(holder['since'] / 1_000, UTC):%Y-%m-%d %H:%M:%S} UTC{end}"


def count(number: float | None) -> str:
    return "-" if number is None else f"{number:,.0f}"


def write_milliseconds(number: float | None) -> str:
    return "-" if number is None else f"{number:,.0f} ms"
