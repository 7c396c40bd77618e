"""A report and a correction in words, for the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import orjson

from designer.text import write_count

if TYPE_CHECKING:  # it imports models, so Django
    from runner.watch.proving.models import ProofReport

MAX_SHOWN = 5
"""Most differences written out."""
KINDS = {
    "newest": "newest values",
    "earlier": "values from before",
    "deleted": "tombstones",
    "missing": "missing records",
    "extra": "records too many",
    "other_value": "other values",
}
"""What corrections do, by kind."""


def describe_report(report: ProofReport) -> str:
    """The lines of a report: what differs, by node and field, and the first differences."""
    return "\n".join(_describe(report))


def _describe(report: ProofReport) -> Iterator[str]:
    yield report["sentence"]
    if report["batches"]:
        since, until = (datetime.fromtimestamp(time / 1_000, UTC) for time in (report["since"], report["until"]))
        batches = write_count(report["batches"], "batch", "batches")
        yield f"{write_count(report['records'], 'record')} in {batches}, {since:%F %T} to {until:%F %T} UTC."
        same = write_count(report["repeated"]["same"], "batch", "batches")
        yield f"The running version gave again, byte for byte, what the job wrote in {same}."
    if rebuilt := report.get("rebuilt"):
        names = ", ".join(rebuilt["topics"])
        yield f"State rebuilt from {names}: {rebuilt['done']:,} of {write_count(rebuilt['count'], 'offset')}."
    yield from (f"Note: {limit}" for limit in report["limits"])
    for node, counts in report["nodes"].items():
        if counts["differing"]:
            share = f"{counts['differing']:,} of {write_count(counts['inputs'], 'input record')}"
            yield f"  {node}: differs for {share}, first for {counts['first']}"
    for topic, of_topic in report["topics"].items():
        if of_topic["grades"]:
            grades = ", ".join(f"{count:,} {grade.replace('_', ' ')}" for grade, count in of_topic["grades"].items())
            yield f"  {topic}: {grades}; {of_topic['differing_keys']:,} of {write_count(of_topic['keys'], 'key')}"
            for name, of_field in of_topic["fields"].items():
                keys = write_count(of_field["keys"], "key")
                yield f"    {name or 'the whole value'}: {keys}, first for {of_field['first']}"
    for difference in report["first"][:MAX_SHOWN]:
        where = difference["topic"] or "dead letters"
        yield f"{difference['at']} → {where}, key {difference['key']}: {difference['grade'].replace('_', ' ')}"
        for results, title in ((difference["old"], "running"), (difference["new"], "new")):
            values = [orjson.dumps(each["value"]).decode() for each in results] or ["nothing"]
            yield f"  {title:<8} {', '.join(values)}"


def describe_correction(correction: Mapping[str, Any] | None) -> str:
    """The lines of a correction as the API gives it: what would be sent, and the first corrections."""
    if correction is None:
        return "No results of this job were corrected yet. Prepare a correction: name its first batch."
    return "\n".join(_describe_correction(correction))


def _describe_correction(correction: Mapping[str, Any]) -> Iterator[str]:
    if failure := correction["failure"]:
        yield f"{failure['message']} {failure['hint']}".strip()
    preview = correction["preview"]
    if preview is None:
        yield f"The correction since batch {correction['first_batch']} is {correction['status']}."
        return
    batches = f"the batches {correction['first_batch']} to {preview['last_batch']}"
    count = write_count(preview["count"], "correction")
    yield f"{count} of {batches}, if {correction['title']} is right: {correction['status']}."
    yield from (f"Note: {limit}" for limit in preview["limits"])
    for topic, counts in sorted(preview["counts"].items()):
        kinds = ", ".join(f"{count:,} {KINDS[kind]}" for kind, count in counts.items())
        where = "" if topic in preview["tables"] else f", told in {correction['topic']}"
        yield f"  {topic}: {kinds}{where}"
    for each in preview["first"]:
        yield f"{each['at']} → {each['of']}, key {each['key']}: {KINDS[each['kind']]}"
        for name in ("sent", "right"):
            yield f"  {name:<8} {', '.join(orjson.dumps(value).decode() for value in each[name]) or 'nothing'}"
