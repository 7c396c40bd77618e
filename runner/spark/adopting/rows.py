"""The rows with which a job begins that takes over an application, read from its changelog topics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from runner.engine.adopting.serialization import ChangelogRecord, Unreadable
from runner.engine.adopting.stores import AdoptedTask, find_adoptable, find_inner_key
from runner.engine.formats import DecodeError
from runner.engine.formats.sides import make_decoder_of
from runner.engine.planning.layout import Store, find_original_name
from runner.engine.records.codecs import make_key_codec
from runner.kafka import KafkaCluster
from runner.plan import AdoptedStore, Plan
from runner.spark.codes import RunCode
from runner.spark.failpoints import fail_at
from runner.spark.failures import RunFailed
from runner.spark.murmur2 import hash_keys
from runner.spark.program import Place, Program
from runner.spark.source.reading import Range, read_alone
from runner.spark.state import View
from runner.spark.state.rows import Row, Rows

STOP_AND_ADOPT = "Stop the application and delete this job. Then adopt the application again."


def read_adopted_rows(program: Program) -> Iterator[tuple[Place, list[Row]]]:
    """All rows of each task, with the place of its slot. Raises RunFailed, and as Kafka's clients do."""
    _refuse_grown(program.plan)
    yield from read_rows(program)
    fail_at("adopting", 8)


def read_rows(program: Program) -> Iterator[tuple[Place, list[Row]]]:
    """All rows of each task up to the ends in the plan, whether or not the topics have grown since."""
    adopted, layout = program.plan.adopted, program.layout
    assert adopted is not None
    stores = {each.store: each for each in adopted.stores}
    for sub_topology in layout.sub_topologies:
        numbers = [n for n in find_adoptable(layout) if layout.stores[n].sub_topology == sub_topology.number]
        numbers = [number for number in numbers if find_original_name(layout.stores[number]) in stores]
        if not numbers:
            continue
        for task in range(program.plan.tasks[sub_topology.number]):
            with View(_NoRows()) as view:
                filled = AdoptedTask(layout, task, view)
                for number in numbers:
                    source = stores[find_original_name(layout.stores[number])]
                    _put(filled, number, source, _read_newest(program.plan, source, task), program)
                filled.close()
                rows = list(view.range(b"", None))
            if rows:
                yield (sub_topology.depth, program.slot_ids[task % len(program.slot_ids)]), rows


def _put(
    filled: AdoptedTask, number: int, source: AdoptedStore, records: Sequence[ChangelogRecord], program: Program
) -> None:
    store = filled.layout.stores[number]
    try:
        _refuse_strangers(store, filled.number, [record.key for record in records], program)
        filled.put(number, records)
    except Unreadable as error:
        raise _make_failure(store, source, f"`{source.topic}` {error}") from error
    except DecodeError as error:
        raise _make_failure(
            store,
            source,
            f"A row of `{source.topic}` is not what `{store.name}` holds, which is {store.key.format} to "
            f"{store.value.format}: {error.message}",
        ) from error


def _refuse_strangers(store: Store, task: int, keys: Sequence[bytes], program: Program) -> None:
    """Behind a shuffle, records of a key go to the task that its bytes here say. Its row must be there.

    Raises RunFailed if the application has its key elsewhere, because it writes keys in another format or has a
    partitioner of its own.
    """
    assert store.sub_topology is not None
    if not keys or not any(program.layout.shuffles_into(store.sub_topology)):
        return
    side = program.layout.nodes[store.node].inputs.only.schema.key if store.part else store.key
    codec, decode = make_key_codec(side), make_decoder_of(side)
    encoded = [codec.encode(decode(find_inner_key(program.layout, store, key))) for key in keys]
    tasks = hash_keys(pa.array(encoded, pa.binary())) % program.plan.tasks[store.sub_topology]
    if (tasks != task).any():
        raise RunFailed(
            RunCode.ADOPTED_UNREADABLE,
            f"The application has keys of `{store.name}` in other partitions than this job would, so it uses another "
            "format of keys or a partitioner of its own.",
            "Choose the key format of the application's repartition topic, and adopt it again.",
            node=store.node,
        )


def _make_failure(store: Store, source: AdoptedStore, message: str) -> RunFailed:
    return RunFailed(
        RunCode.ADOPTED_UNREADABLE,
        message,
        f"Choose the formats with which the application writes `{source.topic}`. Then delete this job and adopt the "
        "application again.",
        node=store.node,
    )


def _read_newest(plan: Plan, source: AdoptedStore, partition: int) -> list[ChangelogRecord]:
    """The last record of each key of a partition, in the order in which Kafka has them."""
    cluster = KafkaCluster.of(plan.kafka)
    start = cluster.start_offsets([cluster.topic(source.topic)])[source.topic][partition]
    newest: dict[bytes, ChangelogRecord] = {}
    if start < (until := source.until[partition]):
        for _, records in read_alone(plan.kafka, [Range(0, source.topic, partition, start, until)]):
            for _, timestamp, key, value, headers in zip(*records, strict=True):
                if key is not None:
                    newest.pop(key, None)
                    newest[key] = ChangelogRecord(key, value, timestamp, headers)
    return list(newest.values())


def _refuse_grown(plan: Plan) -> None:
    """Raises RunFailed if the application has written into a changelog topic since the plan was made."""
    assert plan.adopted is not None
    cluster = KafkaCluster.of(plan.kafka)
    topics = {each.topic: cluster.topic(each.topic) for each in plan.adopted.stores if each.is_changelog}
    ends = cluster.read_high_watermarks(topics.values())
    for each in plan.adopted.stores:
        if each.is_changelog and list(each.until) != ends[each.topic]:
            raise RunFailed(
                RunCode.ADOPTED_GROWN,
                f"The application `{plan.adopted.application}` has written to `{each.topic}` since this job was to "
                "take it over, so its state and its offsets have changed.",
                STOP_AND_ADOPT,
            )


class _NoRows(Rows):
    """Nothing, below the rows of a task."""

    def __init__(self) -> None:
        pass

    def get(self, key: bytes) -> bytes | None:
        return None

    def items(self, start: bytes = b"", end: bytes | None = None, reverse: bool = False) -> Iterator[Row]:
        return iter(())

    def lend(self) -> None:
        """There is nothing for the kernel."""

    def close(self) -> None:
        pass
