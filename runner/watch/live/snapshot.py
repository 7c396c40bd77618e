"""Live numbers in Redis: the newest of each job under one sequence number, and an hour of history.

Redis only holds what is displayed: if it is empty, late or away, only the display suffers.
"""

from __future__ import annotations

import time
from typing import cast

import orjson
import redis

from runner.control.jobs.job_status import JobStatus, find_job_status
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
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], 'numbers', ARGV[2]) end
redis.call('EXPIRE', KEYS[1], ARGV[3])
return redis.call('HINCRBY', KEYS[1], 'sequence', 1)
"""
"""Keeps numbers and sequence in step. After Redis lost everything, the sequence starts at the time in ms, which is
larger than any earlier number. So every viewer notices a gap and recovers.
"""


def read_clock() -> int:
    return int(time.time() * 1_000)


def make_key(job_id: int) -> str:
    return f"streamwright:live:{job_id}"


def make_history_key(job_id: int) -> str:
    return f"streamwright:history:{job_id}"


def read(job: Job) -> Snapshot:
    """The whole state of a job: its status from Postgres, and the newest numbers from Redis, marked if old."""
    try:
        fields = cast("dict[bytes, bytes]", get_redis(SOCKET_SECONDS).hgetall(make_key(job.id)))
    except redis.RedisError:
        fields = {}
    return make_snapshot(find_job_status(job), fields, read_clock())


def make_snapshot(job_status: JobStatus, values: dict[bytes, bytes], now: int) -> Snapshot:
    numbers: RunNumbers | None = orjson.loads(values[b"numbers"]) if b"numbers" in values else None
    age = now - numbers["at"] if numbers else None
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
    return [point for point in points if point["at"] > read_clock() - POINTS * POINT_MS]


def read_oldest(job_id: int) -> Point | None:
    """The first stored point, or None."""
    try:
        point = cast("bytes | None", get_redis(SOCKET_SECONDS).lindex(make_history_key(job_id), 0))
    except redis.RedisError:
        return None
    return None if point is None else cast(Point, orjson.loads(point))


def make_point(numbers: RunNumbers) -> Point:
    """The numbers for a chart of the last hour. Null means unknown."""
    return {
        "at": numbers["at"],
        "rate": numbers["rate"],
        "lag": numbers["lag"],
        "waiting": numbers["waiting"],
        "latency_ms": numbers["latency_ms"],
        "batch_ms": numbers["batch"].get("duration_ms"),
        "memory_bytes": numbers["memory"],
        "state_rows": numbers["state"]["rows"],
        "state_bytes": numbers["state"]["bytes"],
    }
