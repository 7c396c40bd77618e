"""Updates, subscriptions and responses in the three parts of a foreign-key join."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from hashlib import blake2b
from struct import Struct
from typing import Any

from designer.expressions.errors import RecordError
from designer.reasons import END_OF_LEFT_ROW, NEWER_LEFT_ROW, NO_RIGHT_ROW, NULL_FOREIGN_KEY, Reason
from designer.topology.ports import PortType
from runner.engine.formats import EncodeError
from runner.engine.operators.joins.form import JoinForm
from runner.engine.operators.table import TableSource
from runner.engine.planning.layout import Layout, Source
from runner.engine.records.codecs import make_key_codec, pack, unpack
from runner.engine.records.context import NO_ROW
from runner.engine.records.record import TIME, Row
from runner.engine.stores.state import find_key_after
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

LENGTH = Struct(">i")


class Instruction(IntEnum):
    """Instruction to the right side for a subscription (SubscriptionWrapper.Instruction)."""

    DELETE = 0
    DELETE_AND_RESPOND = 1
    RESPOND = 2
    RESPOND_IF_FOUND = 3


class Subscribing(Processor):
    """Turns updates of left rows into subscriptions to right rows (SubscriptionSendProcessorSupplier).

    Kafka Streams discards a response if the left row has changed by then. Here the left value travels with its
    subscription. So only two responses are discarded. The `version` tells a response that another overtook. `latest`
    tells one to a left row that the same record replaced. A record can do that
    if it reaches both sides, or the left side twice.
    """

    forwards_often = True

    def __init__(self, context: ProcessorContext, *, is_left: bool) -> None:
        right = context.layout.nodes[context.owner].inputs["right"].schema
        left = context.inputs["left"].schema
        self.is_left = is_left
        self.extract = context.expression("foreign_key", "key", "value")
        self.encode_foreign = make_key_codec(right.key).encode
        self.encode_key = make_key_codec(left.key, left.window).encode
        self.context = context.record_context
        self.version = context.stream_time("version")
        self.meets_right = bool(
            _find_topics(context.layout, context.node)
            & _find_topics(context.layout, f"{context.owner}.lookup", "right")
        )
        self.row: Row = NO_ROW
        self.seen_keys: set[bytes] = set()
        self.results = 0

    silence = Reason.NO_ROW

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        self.results = 0
        try:
            self._subscribe(key, new, old, timestamp)
        except RecordError:
            self.failure_count += 1
            raise
        self.settle(self.results)

    def _subscribe(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        before = None if old is None else self.extract(key, old)
        after = None if new is None else self.extract(key, new)
        has_new_key = before is not None and self._encode_key(before) != self._encode_key(after)
        if new is None and (old is None if self.is_left else before is None):
            return
        if not self.is_left and new is not None and after is None:
            self.results += 1
            self.drop(NULL_FOREIGN_KEY)
            if before is None:
                return
        row = self._make_row(key, new, timestamp)
        if self.is_left:
            if has_new_key:
                self._send(before, Instruction.DELETE, row, timestamp)
            self._send(after, Instruction.RESPOND, row, timestamp)
        elif after is None:
            self._send(before, Instruction.DELETE_AND_RESPOND, row, timestamp)
        elif has_new_key:
            self._send(before, Instruction.DELETE, row, timestamp)
            self._send(after, Instruction.RESPOND, row, timestamp)
        else:
            self._send(after, Instruction.RESPOND_IF_FOUND, row, timestamp)

    def _make_row(self, key: Any, new: Any, timestamp: int) -> list[Any]:
        """A subscription's data about the left row: bytes of the key, value, version and digest."""
        self.version.observe(self.version.value + 1)
        key_bytes = self.encode_key(key)
        digest = None if new is None else _compute_digest(new)
        if self.context.row is not self.row:
            self.row = self.context.row
            self.seen_keys.clear()
        if self.meets_right or key_bytes in self.seen_keys:
            self.results += 1
            self.branches["latest"](key, [self.version.value, digest], min(timestamp, self.row[TIME]))
        self.seen_keys.add(key_bytes)
        return [key_bytes, new, self.version.value, digest]

    def _send(self, foreign_key: Any, instruction: Instruction, row: list[Any], timestamp: int) -> None:
        self.results += 1
        self.branches["subscriptions"](foreign_key, [int(instruction), *row], timestamp)

    def _encode_key(self, foreign_key: Any) -> bytes | None:
        try:
            return None if foreign_key is None else self.encode_foreign(foreign_key)
        except EncodeError as error:
            raise RecordError(self.node, "foreign_key", f"The foreign key cannot be written. {error}") from error


class Subscriptions(Processor):
    """Keeps the subscriptions to each right row and responds to changes on either side.

    SubscriptionReceive-, SubscriptionJoin- and ForeignTableJoinProcessorSupplier. State holds a subscription under
    its foreign key and its left key, as bytes (CombinedKeySchema). Those to one row are in order of left keys.
    """

    silence = Reason.NO_LEFT_ROW

    forwards_often = True

    def __init__(self, context: ProcessorContext) -> None:
        left, right = context.inputs["left"].schema, context.inputs["right"].schema
        self.encode_foreign = make_key_codec(right.key, right.window).encode
        self.decode_key = make_key_codec(left.key, left.window).decode
        self.right_row = context.view("right")
        self.state = context.get_own_state("subscriptions")
        self.right_is_cached = context.is_cached
        self.errors = context.task.errors
        self.context = context.record_context
        self.found: dict[bytes, tuple[Any, int, Row]] = {}
        """Right rows that subscriptions of this batch have found: their keys, and the time and row of the response."""

    def receiver(self, port: str, arriving: PortType) -> Callable[..., None]:
        return self.update if port == "right" else self.process

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        instruction, key_bytes, left, version, digest = value
        if key is not None:
            prefix = self._make_prefix(key)
            at = prefix + key_bytes
            if instruction <= Instruction.DELETE_AND_RESPOND:
                self.state.delete(at)
            else:
                self.state.put(at, pack([left, version, digest]))
        row = None if key is None else self.right_row(key)
        if instruction == Instruction.DELETE or (row is None and instruction == Instruction.RESPOND_IF_FOUND):
            self.count_no_result(END_OF_LEFT_ROW if instruction == Instruction.DELETE else NO_RIGHT_ROW)
            return
        right, right_time = (None, timestamp) if row is None else row
        time = max(timestamp, right_time)
        if instruction == Instruction.DELETE_AND_RESPOND:
            right = None
        elif row is not None and self.right_is_cached:
            self.found[prefix] = (key, time, self.context.row)
        self.forward(self.decode_key(key_bytes), [version, digest, left, right], time)

    def update(self, key: Any, new: Any, old: Any, timestamp: int) -> None:
        prefix = self._make_prefix(key)
        self.found.pop(prefix, None)
        self.settle(self._respond_to_all(prefix, new, timestamp))

    def flush(self) -> None:
        """Take back the right rows that subscriptions found and that are gone by the end of the batch.

        A cached table does not forward a row that appeared and vanished in one batch. In Kafka Streams, a result that
        was made of it in between stays.
        """
        for prefix, (key, time, row) in self.found.items():
            self.context.row = row
            try:
                is_gone = self.right_row(key) is None
            except RecordError as error:  # of a row that is computed
                self.extra += 1
                self.errors.handle_processing(error, row)
                continue
            if is_gone:
                self.extra += self._respond_to_all(prefix, None, time)
        self.found.clear()

    def _respond_to_all(self, prefix: bytes, right: Any, timestamp: int) -> int:
        """Respond to every subscription to a right row, with the time of the row. Return how many there are."""
        left_rows = 0
        for at, data in self.state.range(prefix, find_key_after(prefix)):
            left, version, digest = unpack(data)
            left_rows += 1
            self.forward(self.decode_key(at[len(prefix) :]), [version, digest, left, right], timestamp)
        return left_rows

    def _make_prefix(self, foreign_key: Any) -> bytes:
        data = self.encode_foreign(foreign_key)
        return LENGTH.pack(len(data)) + data


class Responses(TableSource):
    """Turns responses into the result, which is its own table (ResponseJoinProcessorSupplier, KTableSource)."""

    silence = Reason.UPDATE_OF_LEFT_ROW

    def __init__(self, join: JoinForm, context: ProcessorContext) -> None:
        super().__init__(context.store(), context.sends_old_values)
        left = context.inputs["left"].schema
        self.is_left = join.kind == "left"
        self.shape = join.shape(context, "left", "key", "left", "right", "timestamp")
        self.encode_key = make_key_codec(left.key, left.window).encode
        self.latest: dict[bytes, tuple[int, int | None]] = {}
        """Version and digest of the left rows that this task has seen. On Spark it lives for one batch."""
        keeps_latest = (context.owner, "latest") in context.layout.own_store_of
        self.latest_state = context.get_own_state("latest") if keeps_latest else None
        """The same for all batches, if wrong old values may leave subscriptions behind."""

    def receiver(self, port: str, arriving: PortType) -> Callable[..., None]:
        return self.hear if port == "latest" else self.respond

    def hear(self, key: Any, value: Any, timestamp: int) -> None:
        self.silent += 1
        version, digest = value
        self.latest[self.encode_key(key)] = (version, digest)

    def respond(self, key: Any, value: Any, timestamp: int) -> None:
        version, digest, left, right = value
        key_bytes = self.encode_key(key)
        latest = self.latest.get(key_bytes) or self._read_kept(key_bytes)
        if latest is None or version > latest[0]:
            self.latest[key_bytes] = (version, digest)
        elif version < latest[0] and digest != latest[1]:
            self.drop(NEWER_LEFT_ROW)
            return
        if right is None and (left is None or not self.is_left):
            self.process(key, None, timestamp)
        else:
            self.process(key, self.shape(key, left, right, timestamp), timestamp)

    def flush(self) -> None:
        super().flush()
        if self.latest_state is not None:
            for key_bytes, latest in self.latest.items():
                self.latest_state.put(key_bytes, pack(latest))

    def _read_kept(self, key_bytes: bytes) -> tuple[int, int | None] | None:
        data = None if self.latest_state is None else self.latest_state.get(key_bytes)
        return None if data is None else tuple(unpack(data))


def _find_topics(layout: Layout, node: str, *ports: str) -> set[str]:
    """The topics from which a node's input comes, by those ports or by all."""
    edges = [edge for edge in layout.graph.edges_into(node) if not ports or edge.target_port in ports]
    if not edges:
        return {target.topic for target in layout.targets if isinstance(target, Source) and target.node == node}
    return {topic for edge in edges for topic in _find_topics(layout, edge.source)}


def _compute_digest(value: Any) -> int:
    return int.from_bytes(blake2b(pack(value), digest_size=7).digest())
