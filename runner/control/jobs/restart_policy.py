"""Decides whether and when a failed run starts again: back-off with jitter, then an end.

Six failures within ten minutes, six runs in a row that did not come up, the same batch failing three times for the same
cause, or a failure that no repetition can cure end it. A further batch committed in between forgets the earlier
failures. So do ten minutes without one, if the failed runs had come up: a start may take minutes itself. A silent
Kafka, Spark master or file system never ends it: the job continues when they answer again.

A batch that does not fit into memory, or takes longer to write than a transaction may be open, would fail again. So the
next run reads smaller ones (`choose_batch_divisor`).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypedDict

from runner.control.codes import ControlCode
from runner.kafka.codes import KafkaCode
from runner.spark.codes import RunCode

WINDOW = timedelta(minutes=10)
MAX_FAILURES = 6
SAME_BATCH = 3
MAX_SECONDS = 60.0
OUTAGES = frozenset(
    {
        KafkaCode.KAFKA_UNREACHABLE,
        RunCode.RUN_CLOCK_SET_BACK,
        RunCode.SPARK_UNREACHABLE,
        RunCode.SPARK_NO_EXECUTOR,
        RunCode.CHECKPOINT_UNREACHABLE,
        RunCode.CHECKPOINT_NOT_MOVED,
        ControlCode.HOST_OUTDATED,
    }
)
"""Codes of failures that the job did not cause: it is retried, however often they occur."""
LACKS_OF_MEMORY = frozenset({RunCode.RUN_OUT_OF_MEMORY, RunCode.SPARK_EXECUTOR_MEMORY, ControlCode.RUN_MEMORY_LIMIT})
PERHAPS_LACKS_OF_MEMORY = frozenset({RunCode.SPARK_WORKER_DIED, ControlCode.RUN_PROCESS_DIED})
"""Codes of failures that a lack of memory often causes, but not always."""
DIVISOR_STEP, MAX_DIVISOR = 4, 1_024


class StoredFailure(TypedDict, total=False):
    """What the policy reads of a stored `FailureCause`. Earlier versions may have kept less."""

    code: str
    node: str | None
    batch: int | None
    retriable: bool


class FailedRun(NamedTuple):
    """A failed run: the time, its stored failure, whether it committed a new batch, and whether its start was over.

    `batch_divisor` is that of its plan.
    """

    at: datetime
    failure: StoredFailure
    made_progress: bool = False
    came_up: bool = True
    batch_divisor: int = 1


def give_up(failed_runs: Sequence[FailedRun], now: datetime) -> str | None:
    """Why no further run starts, or None. `failed_runs` are newest first."""
    if not failed_runs:
        return None
    if not failed_runs[0].failure.get("retriable", True):
        return "It would fail again in the same way."
    own = [failed_run for failed_run in _find_loop(failed_runs) if failed_run.failure.get("code") not in OUTAGES]
    if _count_same_batch(own) >= SAME_BATCH:
        return f"Batch {own[0].failure['batch']} failed {SAME_BATCH} times for the same reason."
    if _count_recent(own, now) >= MAX_FAILURES:
        if not all(_is_recent(failed_run, now) for failed_run in own[:MAX_FAILURES]):
            return f"{MAX_FAILURES} runs failed in a row while they started."
        return f"It failed {MAX_FAILURES} times within {WINDOW.seconds // 60} minutes."
    return None


def count_in_a_row(failed_runs: Sequence[FailedRun]) -> int:
    """The number of failures since the newest progress. `failed_runs` are newest first."""
    return len(_find_loop(failed_runs))


def choose_delay_seconds(failed_runs: Sequence[FailedRun], now: datetime) -> float:
    """1, 2, 4 … 60 seconds, a quarter more or less so that jobs do not all start at once."""
    again = _count_recent(_find_loop(failed_runs), now)
    if not again:
        return 0.0
    return min(MAX_SECONDS, 2.0 ** (again - 1)) * random.uniform(0.75, 1.25)


def choose_batch_divisor(failed_runs: Sequence[FailedRun]) -> int:
    """The `Plan.batch_divisor` of the run after these failures, which are newest first.

    It grows if the newest one lacked memory, or if the same batch has ended two runs that perhaps did, or were too slow
    to write it: one may have been asleep. A user who deploys or restarts the job begins again with whole batches.

    >>> lack = FailedRun(datetime(2026, 1, 1), {"code": "run.out_of_memory", "batch": 7})
    >>> choose_batch_divisor([]), choose_batch_divisor([lack]), choose_batch_divisor([lack._replace(batch_divisor=4)])
    (1, 4, 16)
    """
    if not failed_runs:
        return 1
    divisor, code = failed_runs[0].batch_divisor, failed_runs[0].failure.get("code")
    is_again = _count_same_batch(failed_runs) > 1
    is_too_large = (
        code in LACKS_OF_MEMORY
        or (code in PERHAPS_LACKS_OF_MEMORY and is_again)
        or (code == RunCode.TRANSACTION_OVERDUE and (is_again or divisor > 1))
    )
    return min(MAX_DIVISOR, divisor * DIVISOR_STEP) if is_too_large else divisor


# Six reboots in ten minutes are no crash loop if batches were committed in between. A batch that always fails still
# ends the job after three attempts.
def _find_loop(failed_runs: Sequence[FailedRun]) -> Sequence[FailedRun]:
    """The failures back to the newest with progress. Earlier ones do not belong to the loop."""
    first_with_progress = next(
        (count for count, failed_run in enumerate(failed_runs, 1) if failed_run.made_progress), len(failed_runs)
    )
    return failed_runs[:first_with_progress]


def _count_recent(failed_runs: Sequence[FailedRun], now: datetime) -> int:
    return sum(_is_recent(failed_run, now) or not failed_run.came_up for failed_run in failed_runs)


def _is_recent(failed_run: FailedRun, now: datetime) -> bool:
    """Also not if it failed long after now: the clock was set back since."""
    return abs(now - failed_run.at) < WINDOW


def _count_same_batch(failed_runs: Sequence[FailedRun]) -> int:
    """Number of the newest failures in a row with the same batch of the same size, code and node."""
    causes = [
        (failure.get("batch"), failure.get("code"), failure.get("node"), divisor)
        for _, failure, *_, divisor in failed_runs
    ]
    if not causes or causes[0][0] is None:
        return 0
    return next((count for count, cause in enumerate(causes) if cause != causes[0]), len(causes))
