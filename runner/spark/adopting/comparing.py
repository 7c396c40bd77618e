"""Results of a drawing beside those of the application that it is to continue: the last value of each key.

The drawing reads the application's input again, from the beginning to its committed offsets, without state and without
writing anything. If nothing but the drawing decides the results, each key ends with the value that is in the output
topic. How often a key was written on the way says nothing: a cache of Kafka Streams combines updates.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypedDict

from designer.refusals import Refusal
from runner.engine.formats import DecodeError
from runner.engine.formats.display import write_shown
from runner.engine.formats.sides import make_decoder_of
from runner.engine.planning.layout import Layout, Sink
from runner.kafka import KafkaCluster, Topic
from runner.spark.adopting.application import Application
from runner.spark.adopting.rows import read_rows
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.codes import RunCode
from runner.spark.columns import RecordColumns
from runner.spark.program import Program
from runner.spark.proving.process import Last, Process, SentRows
from runner.spark.replay import BatchInputs
from runner.spark.source.reading import Range, read_alone

MAX_RECORDS = 300_000
"""Most offsets to read of all inputs. They are one batch, in memory."""
ATTEMPTS = 5
MAX_EXAMPLES = 10
Offsets = Mapping[str, Sequence[int]]
BeginProcess = Callable[[SentRows], Process]
"""Starts the process that executes the drawing, from these rows of state."""


Grade = Literal["other_value", "missing", "extra"]


class KeyDifference(TypedDict):
    """A key whose last value differs. The values are as a topic's page shows them. None: there is none."""

    grade: Grade
    key: str | None
    application: str | None
    drawing: str | None


class ComparedTopic(TypedDict):
    """The grades of an output topic: how many keys are equal, or differ in one of three ways."""

    keys: int
    equal: int
    other_value: int
    missing: int
    """Keys for which only the application has a value."""
    extra: int
    """Keys for which only the drawing has one."""
    examples: list[KeyDifference]


class Comparison(TypedDict):
    """The last values of a drawing beside those of the application that it is to continue."""

    application: str
    records: int
    topics: dict[str, ComparedTopic]
    is_equal: bool
    limits: list[str]
    """What the comparison could not see."""


class NotComparable(Refusal):
    """The drawing cannot be compared with the application."""

    code = RunCode.ADOPTED_NOT_READY
    status = 409


LOOK_SECONDS = 0.5
"""Between two looks that have to find the same."""
STILL_SECONDS = 60.0
"""Longest wait for a moment at which the state of an application belongs to its offsets."""


class Moment(NamedTuple):
    """A moment at which the state, the offsets and the results of an application belong together."""

    found: Application
    outputs: dict[str, list[int]]
    """Where its output topics end."""

    @property
    def committed(self) -> dict[str, list[int]]:
        return self.found.find_starts()


def shadow(
    program: Program, look: Callable[[], Application], begin_process: BeginProcess, goes_on: Callable[[], bool]
) -> Comparison:
    """The report of `compare`, for what a running application reads from now on.

    1. Wait for a moment at which its state belongs to its offsets (`_find_moment`).
    2. Begin with the rows of its changelog topics up to that moment.
    3. Wait for a later such moment. Process what was committed in between as a batch, and read what it has written in
       between. Go on as long as `goes_on` says so.
    4. Compare the last value of each key that either of them has written since 2.

    `look` looks at the application. Raises NotComparable, KafkaUnreachable and the refusals of the process.
    """
    cluster = KafkaCluster.of(program.plan.kafka)
    topics = {target.topic for target in program.layout.targets if isinstance(target, Sink)}
    outputs = cluster.find(sorted(topics))
    last = _find_moment(cluster, look, list(outputs.values()))  # 1
    state = replace(program, plan=program.plan.model_copy(update={"adopted": last.found.adopt()}))
    rows = [(*place, list(pairs)) for place, pairs in read_rows(state)]  # 2
    theirs: dict[str, Last] = {topic: {} for topic in outputs}
    global_topics = [each.topic for each in program.inputs if each.topic not in last.committed]
    count = number = 0
    with begin_process(rows) as process:
        process.read()
        is_over = False
        while not is_over:
            is_over = not goes_on()
            moment = _find_moment(cluster, look, list(outputs.values()))  # 3
            ranges = list(_list_new(program, cluster, last.committed, moment.committed, global_topics))
            global_topics = []
            arrivals = [
                (range_.input, range_.partition, RecordColumns(*records))
                for range_, records in read_alone(program.plan.kafka, ranges)
            ]
            if arrivals:
                inputs = BatchInputs(time.time_ns() // 1_000_000, arrivals, answers=None)
                process.run(Manifest(number, inputs.time, None, {}, {}), inputs)
                number += 1
            count += sum(len(records.offsets) for _, _, records in arrivals)
            for topic, ends in moment.outputs.items():
                theirs[topic].update(_read_last(cluster, outputs[topic], ends, last.outputs[topic]))
            last = moment
            if not is_over:
                time.sleep(LOOK_SECONDS)
        ours = process.find_last()
    graded = {  # 4
        topic: _grade(of_topic, ours.get(topic, {}), program.layout, topic) for topic, of_topic in theirs.items()
    }
    limits = [
        f"The topic `{topic}` does not exist, so nothing was compared." for topic in sorted(topics - set(outputs))
    ]
    if not count:
        limits.append("The application has read nothing new meanwhile, so nothing was compared. Try again for longer.")
    return {
        "application": last.found.name,
        "records": count,
        "topics": graded,
        "is_equal": bool(count and graded) and all(each["keys"] == each["equal"] for each in graded.values()),
        "limits": limits,
    }


def _find_moment(cluster: KafkaCluster, look: Callable[[], Application], outputs: list[Topic]) -> Moment:
    """Waits for a moment at which two looks find the same, and no record waits in a repartition topic.

    An application that works exactly once commits its changelog topics and its offsets together. Any other one is ahead
    of its offsets between two commits, so it also has to have read everything. Raises NotComparable.
    """
    deadline = time.monotonic() + STILL_SECONDS
    before: Moment | None = None
    while time.monotonic() < deadline:
        found = look()
        now = Moment(found, cluster.end_offsets(outputs))
        lag = sum(each.lag for each in found.inputs)
        is_whole = not found.waiting and (found.guarantee == "exactly_once" or not lag)
        facts = (now.committed, found.ends, now.outputs)
        if is_whole and before is not None and facts == (before.committed, before.found.ends, before.outputs):
            return now
        before = now if is_whole else None
        time.sleep(LOOK_SECONDS)
    raise NotComparable(
        f"For {STILL_SECONDS:.0f} s, the state of the application never matched its committed offsets.",
        "Compare while fewer records arrive, or compare its results from the beginning.",
    )


def _list_new(
    program: Program, cluster: KafkaCluster, start: Offsets, end: Offsets, global_topics: Sequence[str]
) -> Iterator[Range]:
    """What was committed between two moments, and all records of some topics."""
    topics = list(cluster.find(list(global_topics)).values())
    starts, ends = {**cluster.start_offsets(topics), **start}, {**cluster.end_offsets(topics), **end}
    for each in program.inputs:
        for partition, (first, last) in enumerate(
            zip(starts.get(each.topic, ()), ends.get(each.topic, ()), strict=True)
        ):
            if first < last:
                yield Range(each.number, each.topic, partition, first, last)


def compare(
    program: Program, name: str, committed: Offsets, begin_process: BeginProcess, *, is_stopped: bool
) -> Comparison:
    """A report: by output topic, how many keys are equal, and examples of those that are not.

    `committed` are the application's offsets. Raises NotComparable, KafkaUnreachable and the refusals of the process.
    """
    cluster = KafkaCluster.of(program.plan.kafka)
    topics = {target.topic for target in program.layout.targets if isinstance(target, Sink)}
    outputs = cluster.find(sorted(topics))
    committed, ends = _find_still_moment(cluster, name, committed, list(outputs.values()))
    ranges, limits = _find_ranges(program, cluster, committed)
    arrivals = [
        (range_.input, range_.partition, RecordColumns(*records))
        for range_, records in read_alone(program.plan.kafka, ranges)
    ]
    now = time.time_ns() // 1_000_000
    with begin_process([]) as process:
        ours = _play(process, BatchInputs(now, arrivals, answers=None))
    graded = {
        topic: _grade(_read_last(cluster, outputs[topic], ends[topic]), ours.get(topic, {}), program.layout, topic)
        for topic in sorted(outputs)
    }
    limits += [
        f"The topic `{topic}` does not exist, so nothing was compared." for topic in sorted(topics - set(outputs))
    ]
    if not is_stopped:
        limits.append("The application was running, and was compared as it was between two of its commits.")
    return {
        "application": name,
        "records": sum(len(records.offsets) for _, _, records in arrivals),
        "topics": graded,
        "is_equal": bool(graded) and all(each["keys"] == each["equal"] for each in graded.values()),
        "limits": limits,
    }


def _find_still_moment(
    cluster: KafkaCluster, name: str, committed: Offsets, outputs: list[Topic]
) -> tuple[Offsets, dict[str, list[int]]]:
    """Committed offsets, and the ends of the output between two looks at them that found the same."""
    topics = list(cluster.find(list(committed)).values())
    for _ in range(ATTEMPTS):
        ends = cluster.end_offsets(outputs)
        again = {
            topic: [each.offset if each is not None else 0 for each in offsets]
            for topic, offsets in cluster.read_committed_of(name, topics).items()
        }
        if again == {topic: list(offsets) for topic, offsets in committed.items()}:
            return committed, ends
        committed = again
    raise NotComparable(
        f"`{name}` commits so often that its results never matched its committed offsets.",
        "Compare while fewer records arrive, or stop it first.",
    )


def _find_ranges(program: Program, cluster: KafkaCluster, committed: Offsets) -> tuple[list[Range], list[str]]:
    """All records of each input up to the committed offsets, and of global tables to their ends."""
    topics = list(cluster.find([each.topic for each in program.inputs]).values())
    starts, ends = cluster.start_offsets(topics), cluster.end_offsets(topics)
    ranges = [
        Range(each.number, each.topic, partition, start, end)
        for each in program.inputs
        if each.topic in starts
        for partition, (start, end) in enumerate(
            zip(starts[each.topic], committed.get(each.topic, ends[each.topic]), strict=True)
        )
        if start < end
    ]
    if (count := sum(each.end - each.start for each in ranges)) > MAX_RECORDS:
        raise NotComparable(
            f"The inputs have {count:,} offsets, and {MAX_RECORDS:,} can be compared.",
            "Run both beside each other and compare their topics, as the how-to of Kafka Streams says.",
        )
    limits = [
        f"Kafka has deleted the first records of `{topic}`. Results that depend on them differ."
        for topic, offsets in starts.items()
        if any(offsets)
    ]
    return ranges, limits


def _play(process: Process, inputs: BatchInputs) -> dict[str, Last]:
    process.read()
    process.run(Manifest(0, inputs.time, None, {}, {}), inputs)
    return process.find_last()


def _read_last(cluster: KafkaCluster, topic: Topic, ends: Sequence[int], starts: Sequence[int] | None = None) -> Last:
    starts = cluster.start_offsets([topic])[topic.name] if starts is None else starts
    places = enumerate(zip(starts, ends, strict=True))
    ranges = [Range(0, topic.name, number, start, end) for number, (start, end) in places if start < end]
    last: Last = {}
    for _, records in read_alone(cluster.settings, ranges):
        columns = RecordColumns(*records)
        last.update(zip(columns.keys, columns.values, strict=True))
    return last


def _grade(theirs: Last, ours: Last, layout: Layout, topic: str) -> ComparedTopic:
    """The grades of a proof, for the last value of each key. A deletion is no value."""
    keys = [key for key in {**theirs, **ours} if theirs.get(key) is not None or ours.get(key) is not None]
    graded: ComparedTopic = {"keys": len(keys), "equal": 0, "other_value": 0, "missing": 0, "extra": 0, "examples": []}
    for key in keys:
        one, other = theirs.get(key), ours.get(key)
        if one == other:
            graded["equal"] += 1
            continue
        grade: Grade = "missing" if other is None else "extra" if one is None else "other_value"
        graded[grade] += 1
        if len(graded["examples"]) < MAX_EXAMPLES:
            shown_key, application, drawing = _show(layout, topic, key, one, other)
            example: KeyDifference = {
                "grade": grade,
                "key": shown_key,
                "application": application,
                "drawing": drawing,
            }
            graded["examples"].append(example)
    return graded


def _show(
    layout: Layout, topic: str, key: bytes | None, application: bytes | None, drawing: bytes | None
) -> tuple[str | None, str | None, str | None]:
    """The key and both values as a topic's page shows them."""
    sink = next(target for target in layout.targets if isinstance(target, Sink) and target.topic == topic)
    schema = next(iter(layout.nodes[sink.node].inputs.values())).schema

    def show(side: Any, data: bytes | None) -> str | None:
        if data is None:
            return None
        try:
            return write_shown(make_decoder_of(side)(data))
        except (DecodeError, ValueError):
            return data.hex()

    return show(schema.key, key), show(schema.value, application), show(schema.value, drawing)
