"""Live numbers in Redis: the newest of each job under one sequence number, and an hour of history.

Redis only holds what is displayed: if it is empty, late or away, only the display suffers.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import orjson
import redis

from runner.control.jobs.job_status import JobStatus, find_job_statuses
from runner.control.jobs.models import Job
from runner.watch.live.messages import Point, RunNumbers, Snapshot
from runner.watch.redis_client import get_redis

SOCKET_SECONDS = 1.0
STALE_MS = 5_000
POINT_MS = 2_000
POINTS = 1_800
KEEP_SECONDS = 7 * 24 * 3_600

PUBLISH = """
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], 'sequence', ARGV[1]) end
if ARGV[2] ~= '' then
  local now = redis.call('TIME')
  redis.call('HSET', KEYS[1], 'numbers', ARGV[2], 'heard_at', now[1] * 1000 + math.floor(now[2] / 1000))
end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('HINCRBY', KEYS[1], 'sequence', 1)
"""
"""Keeps numbers and sequence in step. After Redis lost everything, the sequence starts at the time in ms, which is
larger than any earlier number. So every viewer notices a gap and recovers. The age of the numbers is a difference of
Redis' own clock, for those of the run and of the reader may differ.
"""


def read_clock() -> int:
    return int(time.time() * 1_000)


def make_key(job_id: int) -> str:
    return f"streamwright:live:{job_id}"


def make_history_key(job_id: int) -> str:
    return f"streamwright:history:{job_id}"


def read(job: Job) -> Snapshot:
    """The whole state of a job: its status from Postgres, and the newest numbers from Redis, marked if old."""
    return read_all([job])[0]


def read_all(jobs: Sequence[Job]) -> list[Snapshot]:
    """The states of several jobs, in the same order, with one question to Redis and then one to Postgres.

    Not the other way round: a status must be at least as new as the sequence number that is told with it.
    """
    values: list[dict[bytes, bytes]]
    try:
        pipeline = get_redis(SOCKET_SECONDS).pipeline()
        for job in jobs:
            pipeline.hgetall(make_key(job.id))
        pipeline.time()
        *values, (seconds, micros) = pipeline.execute()
    except redis.RedisError:
        values, (seconds, micros) = [{} for _ in jobs], (0, 0)
    now = seconds * 1_000 + micros // 1_000
    return [make_snapshot(*pair, now) for pair in zip(find_job_statuses(jobs), values, strict=True)]


def make_snapshot(job_status: JobStatus, values: dict[bytes, bytes], now: int) -> Snapshot:
    """The state of a job from what Redis holds, as of a time of Redis (ms)."""
    numbers: RunNumbers | None = orjson.loads(values[b"numbers"]) if b"numbers" in values else None
    # numbers from after now are from before the clock was set back
    age = abs(now - int(values.get(b"heard_at", numbers["at"]))) if numbers else None
    return {
        "type": "snapshot",
        "sequence": int(values.get(b"sequence", 0)),
        **job_status,
        "numbers": numbers,
        "age_ms": age,
        "is_stale": age is None or age > STALE_MS,
    }


def read_history(job_id: int) -> list[Point]:
    """The points of the last hour, oldest first. Empty without Redis."""
    try:
        points = [orjson.loads(point) for point in get_redis(SOCKET_SECONDS).lrange(make_history_key(job_id), 0, -1)]
    except redis.RedisError:
        return []
    return find_recent(points, read_clock())


def find_recent(points: Iterable[Point], now: int) -> list[Point]:
    """The points of the hour before now, oldest first, although the clock may have been set meanwhile."""
    recent = (point for point in points if now - POINTS * POINT_MS < point["at"] <= now + STALE_MS)
    return sorted(recent, key=lambda point: point["at"])


def read_oldest(job_ids: Sequence[int]) -> dict[int, Point]:
    """The first stored point of each job that has one. Empty without Redis."""
    try:
        pipeline = get_redis(SOCKET_SECONDS).pipeline()
        for job_id in job_ids:
            pipeline.lindex(make_history_key(job_id), 0)
        points = pipeline.execute()
    except redis.RedisError:
        return {}
    return {job_id: orjson.loads(point) for job_id, point in zip(job_ids, points, strict=True) if point is not None}


def make_point(numbers: RunNumbers) -> Point:
    """The numbers for a chart of the last hour. Null means unknown."""
    state = numbers["state"]
    return {
        "at": numbers["at"],
        "rate": numbers["rate"],
        "lag": numbers["lag"],
        "waiting": numbers["waiting"],
        "latency_ms": numbers["latency_ms"],
        "batch_ms": numbers["batch"].get("duration_ms"),
        "memory_bytes": numbers["memory"],
        "state_rows": state["rows"] if state else None,
        "state_bytes": state["bytes"] if state else None,
    }
