"""Works out what corrects the results of a job, and what the user sees of it before anything is sent."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

import orjson
from django.contrib.auth.models import AbstractUser

from designer.projects.code_permission import refuse_code
from designer.projects.models import Draft, Version
from designer.refusals import Conflict, NotFound
from designer.text import write_count
from runner.control.jobs.models import Job
from runner.control.jobs.plans.graph_facts import refuse_unpermitted
from runner.control.jobs.plans.state_changes import get_fingerprints
from runner.engine.formats.display import write_shown
from runner.engine.planning.layout import Layout, Sink
from runner.engine.records.headers import write_headers
from runner.kafka import KafkaCluster, KafkaUnreachable, TopicReader
from runner.plan import Plan, Seed
from runner.spark.checkpoint.batch_log import Manifest
from runner.spark.program import make_program
from runner.spark.proving.corrections import Correction as Found
from runner.spark.proving.corrections import complete, find_table_topics
from runner.spark.proving.process import CorrectedTopics, send_plan
from runner.spark.proving.report import CorrectionKind, ShownResult
from runner.spark.proving.versions import DEAD_LETTERS, Result, describe_origin
from runner.spark.proving.versions import Version as Shown
from runner.watch.proving.models import CorrectionPreview, OneCorrection, ProofReport
from runner.watch.proving.services import Candidate, KeptBatches, Note, NothingKept, Progress

MAX_SHOWN = 20
"""Most corrections of a preview."""
FIND_SECONDS = 120.0
"""Longest time to look for earlier values in a topic."""


class Prepared(NamedTuple):
    """Corrections, and what the user sees of them before they are sent.

    `state` has the rows of the right version behind the last batch, and `seed` says whose they are. None: they cannot
    be taken along.
    """

    corrections: list[Found]
    preview: CorrectionPreview
    state: bytes | None
    seed: Seed


def prepare(
    *,
    job: Job,
    origin: Version | Draft,
    by: AbstractUser,
    first_batch: int,
    topic: str,
    tables: Collection[str] | None = None,
    note: Note = lambda report: True,
) -> Prepared:
    """Return what corrects the results of a job since a batch, if `origin` is right. Nothing is written.

    Raises Conflict, NothingKept, TooManyCorrections, KafkaUnreachable, HasIssues and the refusals of a deploy.
    """
    batches = KeptBatches(job)
    refuse_code(batches.plan.read_graph(), by)
    refuse_unpermitted(origin.read_graph(), by)
    candidate = Candidate.of(job, batches.plan, origin)
    right = make_program(candidate.plan)
    chosen = _choose_tables(batches.program.layout, right.layout) if tables is None else sorted(set(tables))
    if unknown := set(chosen) - find_topics(batches.program.layout) - find_topics(right.layout):
        raise NotFound(f"Neither version writes to {_list(sorted(unknown))}.", "Name topics that the job writes to.")
    manifests = find_batches(batches, first_batch)
    plan = send_plan(candidate.plan, batches.registry_schemas)
    correct: CorrectedTopics = {"tables": chosen, "topic": topic}
    with ExitStack() as stack:
        process, kept = batches.begin(
            manifests, stack, {"plan": plan, "stores": candidate.find_kept(), "correct": correct}
        )
        if len(kept) < len(manifests):
            raise NothingKept(
                f"The state before batch {first_batch} is no longer kept.",
                f"The state before batch {kept[0].number} is: begin with that batch or a later one.",
            )
        progress = Progress(batches, candidate, process, note)
        if not progress.run(manifests):
            raise Conflict("The correction was ended.", "Prepare it again.")
        report = progress.make_report()
        _refuse_unlike(report)
        found, state = process.find_corrections()
    versions = Shown(batches.program.layout), Shown(right.layout)
    corrections = find_earlier(KafkaCluster.of(batches.plan.kafka), found)
    if not topic and any(each.topic == "" for each in corrections):
        streams = sorted({each.of for each in corrections if each.topic == ""})
        raise Conflict(
            f"Results of {_list(streams)} differ. Kafka takes no record of a stream back.",
            "Name a topic for corrections of streams, or declare that only the newest value of a key counts there.",
        )
    preview = _make_preview(versions, corrections, report, chosen)
    if report["topics_without_records"]:  # so its state lacks them
        state = None
    stores = [name for name, store in get_fingerprints(candidate.plan).items() if store.tasks is not None]
    seed = Seed(checkpoint="", plan=candidate.plan.without_seed().to_stored(), stores=stores)
    return Prepared(corrections, preview, state, seed)


def find_batches(batches: KeptBatches, first: int) -> list[Manifest]:
    """Return the batches whose results are corrected, oldest first.

    Raises NothingKept, and Conflict if a batch has sent nothing.
    """
    manifests = batches.find_from(first)
    silent = [each.number for each in manifests if is_silent(batches.plan, each)]
    if silent:
        raise Conflict(
            f"The batches up to {silent[-1]} have sent nothing: another version has sent the results of their records.",
            f"Begin with batch {silent[-1] + 1} or later.",
        )
    return manifests


def is_silent(plan: Plan, manifest: Manifest) -> bool:
    """Return whether a batch only built state after a way back (`Plan.silent_until`), and so sent nothing."""
    return bool(plan.silent_until) and all(
        at <= until
        for topic, ends in plan.silent_until.items()
        for at, until in zip(manifest.end.get(topic, ()), ends, strict=False)
    )


def find_earlier(cluster: KafkaCluster, corrections: Sequence[Found]) -> list[Found]:
    """Complete corrections with the values that their topics had before the job sent wrong ones."""
    wanted: dict[str, dict[bytes | None, deque[Result]]] = {}
    for each in corrections:
        if each.kind == "earlier":
            wanted.setdefault(each.of, {})[each.key] = deque(maxlen=len(each.sent) + 1)
    for topic, of_topic in wanted.items():
        _read_newest(cluster, topic, of_topic)
    whole = (complete(each, [*wanted[each.of][each.key]]) if each.kind == "earlier" else each for each in corrections)
    return [each for each in whole if each is not None]


def _read_newest(cluster: KafkaCluster, name: str, keys: Mapping[bytes | None, deque[Result]]) -> None:
    """Put the newest records of each key into its deque. Raises KafkaUnreachable if the topic is too long to read."""
    topics = cluster.find([name])
    if name not in topics:
        return
    reader = TopicReader(cluster, topics[name])
    deadline = time.monotonic() + FIND_SECONDS
    try:
        ends = reader.ends()
        reader.go(reader.starts())
        while any(reader.at[partition] < end for partition, end in ends.items()):
            if time.monotonic() > deadline:
                raise KafkaUnreachable(
                    f"The earlier values of {write_count(len(keys), 'key')} could not be found in `{name}` in time.",
                    "Choose a later batch, or declare the topic a stream.",
                )
            for message in reader.read(5_000, 0.1):
                if (newest := keys.get(message.key)) is not None:
                    record = message.key, message.value, message.timestamp, write_headers(message.headers)
                    newest.append(Result(*record))
    finally:
        reader.close()


def _choose_tables(*layouts: Layout) -> list[str]:
    """Topics that take a table's updates in each version that writes them."""
    of_both = [(find_topics(layout), find_table_topics(layout)) for layout in layouts]
    every = set[str]().union(*(topics for topics, _ in of_both))
    return sorted(each for each in every if all(each in tables for topics, tables in of_both if each in topics))


def find_topics(layout: Layout) -> set[str]:
    return {target.topic for target in layout.targets if isinstance(target, Sink)}


def _refuse_unlike(report: ProofReport) -> None:
    """Raises Conflict if it is not known what the job has sent."""
    repeated = report["repeated"]
    if repeated["same"] < report["batches"]:
        raise Conflict(
            f"{write_count(report['batches'] - repeated['same'], 'batch', 'batches')} of {report['batches']:,} gave "
            "other results than the job wrote, so it is not known what was sent.",
            "Code of your own may ask for random numbers or other servers. Such results cannot be corrected.",
        )
    if report["not_recorded"]:
        raise Conflict(
            f"{_list(list(report['not_recorded']))} asked other servers for what was not recorded, so the right "
            "results are not known.",
            "Correct with a version that makes the same requests as the job.",
        )


def _make_preview(
    versions: tuple[Shown, Shown], corrections: Sequence[Found], report: ProofReport, tables: list[str]
) -> CorrectionPreview:
    counts: dict[str, dict[CorrectionKind, int]] = {topic: {} for topic in sorted({each.of for each in corrections})}
    for each in corrections:
        of_topic = counts[each.of]
        of_topic[each.kind] = of_topic.get(each.kind, 0) + 1
    limits = list(report["limits"])
    if DEAD_LETTERS in report["topics"] and (letters := sum(report["topics"][DEAD_LETTERS]["grades"].values())):
        limits.append(f"{write_count(letters, 'other dead letter')}: dead letters are not corrected.")
    if report["noise"]:
        limits.append(f"{_list(report['noise'])} differs by itself, and is not corrected.")
    most = max(1, MAX_SHOWN // max(1, len(counts)))
    shown = [each for topic in counts for each in _take_first(corrections, topic, most)]
    return {
        "batches": report["batches"],
        "records": report["records"],
        "since": report["since"],
        "until": report["until"],
        "last_batch": report["last_batch"],
        "count": len(corrections),
        "counts": counts,
        "tables": tables,
        "first": [_describe(versions, each) for each in shown[:MAX_SHOWN]],
        "limits": limits,
    }


def _take_first(corrections: Sequence[Found], topic: str, most: int) -> list[Found]:
    of_topic = [each for each in corrections if each.of == topic]
    return sorted(of_topic, key=lambda each: (each.batch, each.origin))[:most]


def _describe(versions: tuple[Shown, Shown], each: Found) -> OneCorrection:
    """A correction as the preview shows it: what was sent, and what is right."""
    if each.topic != each.of:
        told = orjson.loads(each.value or b"{}")
        key, sent, right = told["key"], *([record["value"] for record in told[side]] for side in ("sent", "right"))
    else:
        was, will_be = _show(versions, each, each.was, is_sent=True), _show(versions, each, each.value, is_sent=False)
        key, sent, right = was["key"], [was["value"]], [will_be["value"]]
    return {
        "of": each.of,
        "kind": each.kind,
        "key": write_shown(key),
        "sent": sent,
        "right": right,
        "at": describe_origin(each.origin),
        "batch": each.batch,
    }


def _show(versions: tuple[Shown, Shown], each: Found, value: bytes | None, *, is_sent: bool) -> ShownResult:
    """A value of the key of a correction, as the version shows it that gave it, or else the other one."""
    own, other = versions if is_sent else versions[::-1]
    version = own if each.of in own.sinks else other
    return version.show(each.of, Result(each.key, value, each.timestamp, None))


def _list(names: Collection[str]) -> str:
    return f"`{'`, `'.join(names)}`"
