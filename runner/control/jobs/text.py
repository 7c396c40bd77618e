"""Writes answers of the API as lines of text. `manage.py` and `streamwright --url` share it, so it needs no Django."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from designer.text import write_count


def align(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines of text with aligned cells."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def describe_cut_over(cut_over: Mapping[str, Any] | None) -> str:
    """What each way back does, or why there is none."""
    if cut_over is None:
        return "No version of this job was cut over. Prove a change, then cut over."
    if (back := cut_over["back"]) is None:
        return cut_over["why_not"] or "No state of an earlier version is kept."
    return (
        f"{back['exactly']}\nWith --at-once: {back['at_once']}\nThe state is kept until {str(back['until'])[:16]} UTC."
    )


def describe_application(application: Mapping[str, Any]) -> str:
    """What Kafka knows of a Kafka Streams application, and what is in the way of adopting it."""
    guarantee = {"exactly_once": "exactly once"}.get(application["guarantee"], "no transactions are known")
    lines = [f"Group {application['name']}: {application['state'] or 'not there'}, {guarantee}."]
    if application["inputs"]:
        head = ("Topic", "Committed", "Lag")
        rows = [
            (each["topic"], ", ".join("-" if at is None else str(at) for at in each["committed"]), f"{each['lag']:,}")
            for each in application["inputs"]
        ]
        lines += [align([head, *rows])]
    if application["stores"]:
        head = ("Store", "Contents from", "Offsets")
        rows = [
            (each["store"], each["topic"] or "nothing fits", f"{each['records']:,}") for each in application["stores"]
        ]
        lines += [align([head, *rows])]
    lines += [
        f"Not yet read in {topic}: {write_count(count, 'record')}." for topic, count in application["waiting"].items()
    ]
    lines += application["notes"]
    if application["problems"]:
        lines += ["It cannot be adopted yet:", *(f"- {each}" for each in application["problems"])]
    else:
        lines.append("It can be adopted.")
    return "\n".join(lines)


def describe_comparison(report: Mapping[str, Any]) -> str:
    """The last values of a drawing beside those of an application."""
    lines = [f"Processed {write_count(report['records'], 'record')} of the input of {report['application']}."]
    for topic, graded in report["topics"].items():
        counts = ", ".join(
            f"{graded[grade]:,} {words}"
            for grade, words in (("other_value", "with another value"), ("missing", "missing"), ("extra", "extra"))
            if graded[grade]
        )
        keys = write_count(graded["keys"], "key")
        lines.append(f"{topic}: {graded['equal']:,} of {keys} equal{counts and ', ' + counts}.")
        lines += [
            f"  {each['key']}: the application has {each['application'] or 'nothing'}, "
            f"the drawing {each['drawing'] or 'nothing'}"
            for each in graded["examples"]
        ]
    return "\n".join([*lines, *report["limits"]])


def describe_preview(preview: Mapping[str, Any]) -> str:
    """The effects of a deploy, in the order of the deploy dialog, which shows the same."""
    lines = [f"Job {preview['application_id']} " + ("would be new." if preview["job"] is None else "would change.")]
    if preview["is_moved"]:
        lines.append("It moves to another cluster and reads the topics there.")
    lines += [f"Runs on Spark cluster {preview['spark']}."] if preview["spark"] else []
    lines += [preview[words] for words in ("room", "damaged", "question") if preview[words]]
    if (pending := preview.get("pending", "keep")) != "keep":  # a server of 0.1.0 does not say
        lines.append(f"The last deploy has not begun yet. Its choice holds for this one, too: {pending}.")
    if preview["changes"] is not None:
        lines += ["Changes since the last run:", *_indent(preview["changes"] or "none")]
    lines += [f"Bypassed: {', '.join(preview['bypassed'])}"] if preview["bypassed"] else []
    lines += [f"Creates topic {name}" for name in preview["creates"]]
    lines += [preview["registry"]] if preview["registry"] else []
    lines += [line for each in preview["schemas"] for line in _describe_schema(each)]
    for each in preview["spread"]:
        topics = ", ".join(
            f"{topic} ({write_count(partitions, 'partition')})" for topic, partitions in each["partitions"].items()
        )
        lines.append(f"Spreads {topics} over {write_count(each['tasks'], 'task')}")
    lines += [_describe_state(each) for each in preview["state"]]
    lines += [
        f"Lost records of {each['topic']}, partition {each['partition']}: read to offset {each['read_to']}, and "
        f"{'the topic was created again' if each['why'] == 'recreated' else 'it begins with ' + str(each['first'])}"
        for each in preview["losses"]
    ]
    lines += [f"Choice {each['on_state']}: {each['help']}" for each in preview["choices"]]
    lines += [
        f"{each['level'].capitalize()} for {each['node'] or 'the topology'}: {each['message']} {each['hint']}"
        for each in preview["hints"]
    ]
    rows = [(each["topic"], str(each["replication"]), each["why"]) for each in preview["durability"]]
    if rows:
        lines += ["Replication:", *_indent(align([("topic", "replicas", "if a broker is lost"), *rows]))]
    lines += [f"Tasks: {', '.join(map(str, preview['tasks']))}"]
    lines += ["Settings:", *_indent(align([(name, _write(value)) for name, value in preview["settings"].items()]))]
    lines += [preview["description"].rstrip()]
    return "\n".join(lines)


def _describe_state(change: Mapping[str, Any]) -> str:
    """What becomes of a store. A node may have several, or one with a name of its own."""
    store = "" if change["store"] == change["node"] else f" ({change['store']})"
    return f"State of {change['node']}{store}: {change['effect'].replace('_', ' ')}. {change['why']}".rstrip()


def _describe_schema(schema: Mapping[str, Any]) -> list[str]:
    """What a deploy does with the schema of a sink, and why it is refused if it is."""
    place = f"of {schema['node']}'s {schema['side']}s" + (f" ({schema['record']})" if schema["record"] else "")
    known = f"version {schema['version']}, id {schema['id']}" if schema["version"] else f"id {schema['id']}"
    if schema["problem"]:
        return [f"Schema {place}: {schema['problem']} {schema['hint']}".rstrip()]
    if schema["does"] == "registers":
        level = f"level {schema['level']}" if schema["level"] else "judged when its imports are registered"
        files = [f"Registers {each['path']}, which it imports" for each in schema["imports"] if each["version"] is None]
        return [*files, f"Registers the schema {place} as {schema['subject']}, {level}"]
    word = "Takes" if schema["does"] == "takes" else "Finds"
    return [f"{word} the schema {place} in {schema['subject'] or 'no subject'}: {known}"]


def _indent(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]


def _write(value: Any) -> str:
    """A setting as `--set` takes it."""
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
