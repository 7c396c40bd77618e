"""Live numbers as text for the command line. Without Django, for remote commands."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from runner.control.jobs.text import align

if TYPE_CHECKING:  # they import models, so Django
    from runner.control.jobs.job_status import Cause, ExecutorLoss
    from runner.watch.live.messages import NodeNumbers, RunNumbers, Snapshot
    from runner.watch.live.positions import HeldBy

JOBS = ("job", "status", "version", "records/s", "lag", "latency", "state rows", "note")
NODES = ("node", "in", "extra", "out", "no result", "waiting", "dropped", "errors", "records/s")
"""The columns of a node: in + extra = out + no result + waiting + dropped + errors."""


def write_jobs_table(jobs: Iterable[tuple[str, int, Snapshot]]) -> str:
    """A row for each job with its version and state. Below a failed one, the next step."""
    entries = list(jobs)
    head, *rows = align([JOBS, *(make_job_row(*job) for job in entries)]).split("\n")
    return "\n".join([head, *(with_step(row, state) for row, (_, _, state) in zip(rows, entries, strict=True))])


def make_job_row(name: str, version: int, state: Snapshot) -> tuple[str, ...]:
    numbers, running = state["numbers"], _find_running(state)
    return (
        name,
        state["status"],
        str(version),
        count(running and running["rate"]),
        count(numbers and numbers["lag"]),
        write_milliseconds(running and running["latency_ms"]),
        count(numbers and numbers["state"] and numbers["state"]["rows"]),
        describe_state(state),
    )


def _find_running(state: Snapshot) -> RunNumbers | None:
    """The numbers of a run that is at work: the rate and latency of one that ended say nothing of now."""
    return state["numbers"] if state["status"] == "running" else None


def write_details(state: Snapshot) -> str:
    """The numbers of a job's nodes, and the executors that its run has lost."""
    nodes = state["numbers"]["nodes"] if state["numbers"] else {}
    lines = describe_lost(state)
    table = align([NODES, *(make_node_row(name, numbers) for name, numbers in nodes.items())])
    return "\n".join(["", table, *(["", *lines] if lines else [])])


def describe_lost(state: Snapshot, before: Snapshot | None = None) -> list[str]:
    """A line for each lost executor of the run with more facts than in the state before."""
    known_executors = before["lost_executors"] if before else []
    return [describe_lost_executor(each) for each in state["lost_executors"] if each not in known_executors]


def describe_lost_executor(loss: ExecutorLoss) -> str:
    """When, where and why an executor was lost, and the cost."""
    at = datetime.fromtimestamp(loss["at"] / 1_000, UTC)
    return f"{at:%Y-%m-%d %H:%M:%S} UTC: {loss['title']} {loss['text']}"


def make_node_row(name: str, numbers: NodeNumbers) -> tuple[str, ...]:
    cells = (
        numbers["in"],
        numbers.get("extra", 0),
        numbers["out"],
        sum(numbers.get("no_result", {}).values()),
        numbers.get("waiting", 0),
        numbers["dropped"],
        numbers["errors"],
        numbers["rate"],
    )
    return (name, *map(count, cells))


def is_new(state: Snapshot, before: Snapshot) -> bool:
    """Whether something happened since another state."""
    return (state["sequence"], state["status"], state["lost_executors"]) != (
        before["sequence"],
        before["status"],
        before["lost_executors"],
    )


def write_line(state: Snapshot) -> str:
    numbers, running = state["numbers"], _find_running(state)
    nodes = numbers["nodes"].values() if numbers else ()
    totals = {
        "dropped": sum(node["dropped"] for node in nodes),
        "errors": sum(node["errors"] for node in nodes),
        "waiting": sum(node.get("waiting", 0) for node in nodes),
    }
    parts = (
        f"{datetime.now():%H:%M:%S} {state['status']:<9}",
        f"{count(running and running['rate']):>9} records/s",
        f"lag {count(numbers and numbers['lag']):>9}",
        f"latency {write_milliseconds(running and running['latency_ms']):>8}",
        f"in {count(numbers and numbers['records_in']):>11}",
        *(f"{name} {count(total)}" for name, total in totals.items() if total),
        describe_state(state),
    )
    return with_step("  ".join(parts).rstrip(), state)


def with_step(text: str, state: Snapshot) -> str:
    """The text, and the next step on its own line, with whether another run starts by itself."""
    trouble = _find_trouble(state)
    steps = [_write_line(trouble["hint"]), _describe_tries(state, trouble)] if trouble else []
    step = " ".join(filter(None, steps))
    return f"{text}\n  {step}" if step else text


def _describe_tries(state: Snapshot, trouble: Cause) -> str:
    """Why no further run starts, or when the next one does."""
    if state.get("is_blocked"):  # a server of 0.1.0 does not say
        steps = (
            "Streamwright does not retry.",
            trouble.get("given_up"),
            "Fix the cause, then restart or deploy the job.",
        )
        return " ".join(filter(None, steps))
    if state.get("failed_runs", 0) > 1 and state["start_after"]:
        at = datetime.fromisoformat(state["start_after"])
        return f"{state['failed_runs']} runs failed in a row. The next one starts at {at:%H:%M:%S} UTC."
    return ""


def describe_state(state: Snapshot) -> str:
    """Why it does not run, that its numbers are old, or what a transaction holds up."""
    if trouble := _find_trouble(state):
        return _write_line(trouble["message"])
    if state["status"] != "running":
        return ""
    numbers = state["numbers"]
    if numbers is None or state["is_stale"]:
        return "numbers are old" if state["is_stale"] else ""
    held_up = numbers.get("held_up")
    waits = f"{count(held_up)} records wait behind an open transaction{_name_owner(numbers)}" if held_up else ""
    return "; ".join(filter(None, (waits, _name_awaited(numbers))))


def _find_trouble(state: Snapshot) -> Cause | None:
    """Why it does not run: the job's problem, else the failure of its run, or of the previous one during a retry."""
    is_wanted = state["desired"] == "running"
    return state["problem"] or (state["failure"] if is_wanted else None) or state["last_failure"]


def _write_line(text: str) -> str:
    return " ".join(text.split())


def _name_awaited(numbers: RunNumbers) -> str:
    """The topics with records that wait for a schema, and the registry's reason."""
    waiting = [(topic, source.get("awaits_schema")) for topic, source in numbers["sources"].items()]
    return "; ".join(
        f"records of {topic} wait for schema {awaited['id']}: {awaited['why']}" for topic, awaited in waiting if awaited
    )


def _name_owner(numbers: RunNumbers) -> str:
    """The producer, and since when. Empty while unknown."""
    return next(
        (f" {describe_holder(holder)}" for source in numbers["sources"].values() if (holder := source.get("held_by"))),
        "",
    )


def describe_holder(holder: HeldBy) -> str:
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
