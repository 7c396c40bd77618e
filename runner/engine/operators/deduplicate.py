from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any

import orjson
from pydantic import Field

from designer.expressions import check
from designer.expressions.errors import RecordError
from designer.reasons import NULL_KEY, Reason
from designer.streams.lineage import Columns, Tracing
from designer.topology.catalogue import Flows, Operator, register
from designer.topology.forms import ExpressionText, WindowSize
from designer.topology.ports import Input, KStream, Output
from designer.values.exact_json import JsonNumber, to_exact
from designer.values.schemas import Side
from designer.values.tuples import UnionValue
from runner.engine.formats import EncodeError
from runner.engine.planning.tables import Contents, NodeTables
from runner.engine.records.codecs import make_record_key_codec, pack
from runner.engine.records.tagging import TAG
from runner.engine.stores.state import State
from runner.engine.stores.times import StreamTime
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

STORE = "seen"
SEEN_RECORDS = Contents(
    "remembers records, and Streamwright does not rebuild what it remembers.",
    "repeats of records from before pass once more.",
)
NEVER = -(2**63)
TIME = Struct(">Q")
BY_ID, BY_TIME = b"i", b"t"


@register
class Deduplicate(Operator):
    """Drop repeated records, and keep the first one of each key, or of each value of `by`, within `within_ms`.

    The operator remembers a record that passes until stream time is `within_ms` past the record's time. Until then,
    other records with the same key or value of `by` are repeats. A repeat may have other contents, or an earlier time
    than the first record. Repeats do not extend this period. A record older than stream time minus `within_ms` passes,
    because nothing of its time is remembered. Each task has its own stream time and compares only its own records: with
    `by`, repeats must have the same key. Values of `by` are equal if they are as keys: 14.7 is 14.70. Records with a
    null key are dropped and counted. With `by`, a record for which `by` is null passes.
    """

    icon = "copy-minus"
    family = "stateless"
    summary = ("by", "within_ms")
    remembers = True
    stream = Input(KStream)
    result = Output(KStream)

    by: ExpressionText | None = Field(
        None, description="Expression that is equal for repeats.", json_schema_extra={"empty_means": "the key"}
    )
    within_ms: WindowSize = Field(description="How long a record is remembered, in stream time.")

    def find_keyed_inputs(self, inputs: Flows) -> frozenset[str]:
        return frozenset({"stream"})

    def trace(self, tracing: Tracing) -> Columns:
        only = tracing.only
        return only.influenced("filter", tracing.expression("by", self.by), only.key, only.timestamp)

    def plan_tables(self, plan: NodeTables) -> None:
        schema = plan.inputs.only.schema
        identity = schema.key
        if self.by is not None:
            identity = Side("json", check(self.by, self.scope("by", plan.inputs)).type)
        plan.keep(STORE, identity, Side("long", schema.key.type), SEEN_RECORDS)

    def processor(self, context: ProcessorContext) -> FirstOnly:
        by = context.compile_optional("by", "key", "value", "timestamp")
        identity = self._identify_by_key(context) if by is None else _identify_by_expression(by)
        return FirstOnly(
            context.get_own_state(STORE), context.stream_time(), identity, self.within_ms, is_of_key=by is None
        )

    def _identify_by_key(self, context: ProcessorContext) -> Callable[[Any, Any, int], bytes | None]:
        encode, node = make_record_key_codec(context.inputs.only).encode, context.node

        def identity(key: Any, value: Any, timestamp: int) -> bytes | None:
            try:
                return None if key is None else encode(key)
            except EncodeError as error:
                raise RecordError(node, "", f"The key cannot be written. {error}") from error

        return identity


def _identify_by_expression(by: Callable[[Any, Any, int], Any]) -> Callable[[Any, Any, int], bytes | None]:
    def identity(key: Any, value: Any, timestamp: int) -> bytes | None:
        by_value = by(key, value, timestamp)
        if by_value is None:
            return None
        data = pack(by_value)
        return pack(_shorten_numbers(by_value)) if TAG in data else data

    return identity


def _shorten_numbers(value: Any) -> Any:
    """The value with equal numbers of JSON in one form, as in keys: 14.7 and 14.70 are one identity."""
    match value:
        case JsonNumber():
            return orjson.loads(value.shortest) if value.exact == to_exact(float(value)) else JsonNumber(value.shortest)
        case dict():
            return {name: _shorten_numbers(each) for name, each in value.items()}
        case UnionValue(tag, content):
            return UnionValue(tag, _shorten_numbers(content))
        case list() | tuple():
            return [_shorten_numbers(each) for each in value]
        case _:
            return value


class FirstOnly(Processor):
    """Forwards a record unless a record of the same identity is remembered.

    State holds the time of each identity, and identities in order of their times, to forget them.
    """

    silence = Reason.REPEAT

    def __init__(
        self,
        state: State,
        time: StreamTime,
        identity: Callable[[Any, Any, int], bytes | None],
        within_ms: int,
        *,
        is_of_key: bool,
    ) -> None:
        self.state = state
        self.time = time
        self.identity = identity
        self.within_ms = within_ms
        self.of_key = is_of_key
        self.looked_up: dict[bytes, int] = {}
        """Times by identity as this batch knows them. NEVER for an unknown identity."""
        self.new_identities: set[bytes] = set()

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        identity = self.identity(key, value, timestamp)
        if identity is None and self.of_key:
            self.drop(NULL_KEY)
            return
        time = self.time
        if timestamp > time.value:
            time.observe(timestamp)
        horizon = time.value - self.within_ms
        if identity is not None and timestamp > horizon:
            if self._find_first_seen(identity) > horizon:
                self.silent += 1
                return
            self.looked_up[identity] = timestamp
            self.new_identities.add(identity)
        self.forward(key, value, timestamp)

    def flush(self) -> None:
        """Forgets first, because records of this batch with the same identity come after."""
        horizon = self.time.value - self.within_ms
        self._forget(horizon)
        for identity in self.new_identities:
            timestamp = self.looked_up[identity]
            if timestamp > horizon:
                when = TIME.pack(timestamp)
                self.state.put(BY_ID + identity, when)
                self.state.put(BY_TIME + when + identity, b"")
        self.new_identities.clear()
        self.looked_up.clear()

    def _find_first_seen(self, identity: bytes) -> int:
        first_at = self.looked_up.get(identity)
        if first_at is None:
            data = self.state.get(BY_ID + identity)
            first_at = self.looked_up[identity] = NEVER if data is None else TIME.unpack(data)[0]
        return first_at

    def _forget(self, until: int) -> None:
        """Removes identities with times up to `until`."""
        if until < 0:
            return
        end = BY_TIME + TIME.pack(until + 1)
        old = [entry[1 + TIME.size :] for entry, _ in self.state.range(BY_TIME, end)]
        for identity in old:
            self.state.delete(BY_ID + identity)
        if old:
            self.state.delete_range(BY_TIME, end)
