from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from designer.issues import Issue
from designer.streams.formats import fits
from designer.streams.topics import make_misfit
from designer.topology.catalogue import Flows, register
from designer.topology.forms import DeclaredType
from designer.topology.ports import Input, KStream, Output
from designer.values.schemas import FormatName, Schema
from runner.engine.code.code_processor import CodeProcessor
from runner.engine.operators.shared.processing import RunsCode, make_side
from runner.engine.tasks.processor_context import ProcessorContext


@register
class Process(RunsCode):
    """Process each record in Python: read and write stores, and forward zero or more records.

    The Processor API (KIP-820): `class Mine(Processor)` with `init(self, context)`, `process(self, record)` and
    `close(self)`. A record has `key`, `value`, `timestamp` and `headers`. `with_key(…)`, `with_value(…)` and so on
    return changed copies. The context has `forward(record)`, `store(name)` and `schedule(interval_ms, kind, callback)`.
    Call `schedule` in init(), with the kind "stream_time" or "wall_clock". The context also has `stream_time`,
    `wall_clock`, `topic`, `partition`, `offset` and `task`. `random` has the methods of Python's module of that name,
    but gives the same numbers when a batch is done again, for a proof or a correction.
    `side_effect(function, argument)` calls a function that asks another server, and records its answer: a batch that
    is done again takes that, and asks nobody. An exception of the function comes as a SideEffectFailed.

    A key-value store has get, put, put_if_absent, delete, range and all. A window store has put(key, value, start),
    fetch(key, start), fetch(key, start, end), fetch_all and all. By default it keeps the last value of each key and
    start; with duplicates it keeps all. A session store has put(Windowed(key, start, end), value), remove,
    fetch_session(key, start, end), fetch(key) and find_sessions(key, earliest_end, latest_start). A versioned store has
    put(key, value, timestamp), get(key), get(key, as_of) and delete(key, timestamp).

    Forwarded records count as re-keyed, so the next grouping, join or table shuffles them. Arriving records are not
    shuffled, even if their key was changed before. Group them first where that matters. A processor object exists for
    one batch: its attributes are lost afterwards, while stores and schedules are kept. Wall-clock punctuators run at
    the end of a batch; a batch starts every second, even without records. An exception in the code is an error of the
    record; in init() it ends the run. The code is trusted, and only users with the permission run_code can write it.
    """

    kafka_names = ("transform", "flatTransform", "Processor")
    step_prefixes = ("KSTREAM-PROCESSOR", "KSTREAM-TRANSFORM")

    rekeys = True
    stream = Input(KStream)
    result = Output(KStream)

    key_format: FormatName | None = Field(
        None,
        description="How each key that the code forwards becomes bytes.",
        json_schema_extra={"empty_means": "the format for their type"},
    )
    key_type: DeclaredType | None = Field(
        None,
        description="What the code forwards as keys, so that later nodes know their fields.",
        json_schema_extra={"empty_means": "any JSON"},
    )

    def output_schema(self, inputs: Flows) -> Schema:
        return Schema(key=make_side(self.key_format, self.key_type), value=self.value)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from super().issues(inputs)
        key = self.output_schema(inputs).key
        if not fits(key):
            yield make_misfit("key_format", key)

    def processor(self, context: ProcessorContext) -> CodeProcessor:
        return self.make_processor(context, self.output_schema(context.inputs).key)
