from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from designer.catalogue import Flows, register
from designer.formats import FormatName, fits
from designer.forms import DeclaredType
from designer.issues import Issue
from designer.ports import Input, KStream, Output
from designer.schemas import Schema
from designer.topics import misfit
from runner.engine.code.code_processor import CodeProcessor
from runner.engine.operators.shared.processing import RunsCode, declared
from runner.engine.tasks.place import Place


@register
class Process(RunsCode):
    """Do what you like with each record, in Python: read and write stores, forward none, one or many records.

    The Processor API (KIP-820): `class Mine(Processor)` with `init(self, context)`, `process(self, record)` and
    `close(self)`. A record has `key`, `value`, `timestamp` and `headers`, and `with_key(…)`, `with_value(…)` and so on
    give changed copies. The context has `forward(record)`, `store(name)` with get, put, put_if_absent, delete, range
    and all, `schedule(interval_ms, "stream_time" or "wall_clock", callback)` in init(), `stream_time`, `wall_clock`,
    `topic`, `partition`, `offset` and `task`.

    A window store has put(key, value, start), fetch(key, start), fetch(key, start, end), fetch_all and all, and with
    duplicates all values put where it else has the last one; a session
    store put(Windowed(key, start, end), value), remove, fetch_session(key, start, end), fetch(key) and
    find_sessions(key, earliest_end, latest_start); a versioned store put(key, value, timestamp), get(key),
    get(key, as_of) and delete(key, timestamp).

    Records count as re-keyed: the next grouping, join or table behind it shuffles; what arrives is not shuffled by a
    key changed before, so group first where that matters. An object lives for one batch: attributes are lost with
    it, stores and schedules are kept. Wall-clock punctuators are called at the end of a batch; one begins each second,
    also without records. What the code raises is an error of the record; in init() it ends the run. It is trusted
    code, for users with the permission run_code.
    """

    kafka_names = ("transform", "flatTransform", "Processor")

    rekeys = True
    stream = Input(KStream)
    result = Output(KStream)

    key_format: FormatName | None = Field(
        None,
        description="How the new keys are written in bytes.",
        json_schema_extra={"empty_means": "as their type asks for"},
    )
    key_type: DeclaredType | None = Field(
        None, description="What the new keys are.", json_schema_extra={"empty_means": "any JSON"}
    )

    def output_schema(self, inputs: Flows) -> Schema:
        return Schema(key=declared(self.key_format, self.key_type), value=self.value)

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        yield from super().issues(inputs)
        key = self.output_schema(inputs).key
        if not fits(key):
            yield misfit("key_format", key)

    def processor(self, place: Place) -> CodeProcessor:
        return self.made(place, self.output_schema(place.inputs).key)
