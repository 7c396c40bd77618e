"""A report in words, for the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

MAX_SHOWN = 5
"""Most differences written out."""


def describe_report(report: Mapping[str, Any]) -> str:
    """The lines of a report: what differs, by node and field, and the first differences."""
    return "\n".join(_describe(report))


def _describe(report: Mapping[str, Any]) -> Iterator[str]:
    yield report["sentence"]
    if report["batches"]:
        since, until = (datetime.fromtimestamp(report[name] / 1_000, UTC) for name in ("since", "until"))
        yield f"{report['records']:,} records in {report['batches']:,} batches, {since:%F %T} to {until:%F %T} UTC."
        same = report["repeated"]["same"]
        yield f"{same:,} of them give in the running version the same bytes again that the job wrote."
    yield from (f"Note: {limit}" for limit in report["limits"])
    for node, counts in report["nodes"].items():
        if counts["differing"]:
            share = f"{counts['differing']:,} of {counts['inputs']:,} input records"
            yield f"  {node}: differs for {share}, first for {counts['first']}"
    for topic, counts in report["topics"].items():
        if counts["grades"]:
            grades = ", ".join(f"{count:,} {grade.replace('_', ' ')}" for grade, count in counts["grades"].items())
            yield f"  {topic}: {grades}; {counts['differing_keys']:,} of {counts['keys']:,} keys"
            for name, of_field in counts["fields"].items():
                yield f"    {name or 'the whole value'}: {of_field['keys']:,} keys, first for {of_field['first']}"
    for difference in report["first"][:MAX_SHOWN]:
        where = difference["topic"] or "dead letters"
        yield f"{difference['at']} → {where}, key {difference['key']}: {difference['grade'].replace('_', ' ')}"
        for name, title in (("old", "running"), ("new", "new")):
            values = [orjson.dumps(each["value"]).decode() for each in difference[name]] or ["nothing"]
            yield f"  {title:<8} {', '.join(values)}"
