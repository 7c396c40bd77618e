"""Handles a failed record: the task fails, the record is skipped, or it goes to the dead letters.

The failing node decides by its `on_error`. If that is empty, the job's setting for the kind of failure decides.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection

from designer.expressions.errors import RecordError
from designer.refusals import Details, Refusal
from runner.engine.codes import EngineCode
from runner.engine.counts.record_log import RecordLog
from runner.engine.formats import DecodeError, Decoder
from runner.engine.planning.layers import find_original
from runner.engine.planning.layout import Layout, Source
from runner.engine.planning.options import Options, Policy
from runner.engine.planning.parts import find_owner
from runner.engine.records.headers import add_headers
from runner.engine.records.record import HEADERS, KEY, ORIGIN, PARTITIONS, SEQ, TARGET, TIME, Emit, Origin, Row

PREFIX = "__streams.errors."
"""Kafka Streams' own header names (KIP-1034): exception, message, stacktrace, and the input record's topic, partition
and offset. Ours are `node`, `at` (when it failed, in ms), `input` on a dead letter that is its unchanged input record,
and those that the writer adds for records that no topic takes (`runner.spark.sink.results`)."""


class RecordFailed(Refusal):
    """A record failed, and by its policy the task fails with it."""

    code = EngineCode.RECORD_FAILED
    status = 422


class NotWritten(RecordError):
    """A record cannot be written in the format of its topic (production.exception.handler)."""


class CodeRaised(RecordError):
    """Users' code raised an exception of that name."""

    def __init__(self, node: str, field: str, message: str, exception: str) -> None:
        super().__init__(node, field, message)
        self.exception = exception


class Errors:
    """Executes the policies and counts errors by node. Errors of `clones` are already dead letters elsewhere.

    `log_of` returns the log of a node, which gets a line for a skipped record (LogAndContinueExceptionHandler).
    `clock` returns the time (ms) for dead letters.
    """

    def __init__(
        self,
        layout: Layout,
        emit: Emit,
        options: Options,
        log_of: Callable[[str], RecordLog],
        clock: Callable[[], int],
        clones: Collection[str] = (),
    ) -> None:
        self.layout = layout
        self.emit = emit
        self.options = options
        self.log_of = log_of
        self.clones = clones
        self.clock = clock
        self.by_node: Counter[str] = Counter()
        self.dead_letters: Counter[str] = Counter()
        """Number of errors that became dead letters."""
        self.by_asker: Counter[tuple[str, str]] = Counter()
        """Errors on records at another node: by node of the error, and by the node that asked it."""

    def handle_processing(self, error: RecordError, row: Row) -> None:
        """An expression failed on a value (processing.exception.handler), or a format could not write it."""
        if error.asker is not None:
            self.by_asker[find_original(error.node), error.asker] += 1
        where = f"{error.node}.{error.field}" if error.field else error.node
        of_job = self.options.production if isinstance(error, NotWritten) else self.options.processing
        name = error.exception if isinstance(error, CodeRaised) else type(error).__name__
        self._note_failure(of_job, row, error.node, name, error.message, where)

    def deserialization(self, error: DecodeError, row: Row, node: str, side: str) -> None:
        """The bytes of a source row's key or value cannot be decoded (deserialization.exception.handler)."""
        message = f"The {side} cannot be decoded. {error.message}"
        self._note_failure(self.options.deserialization, row, node, type(error).__name__, message, f"{node}.{side}")

    def _note_failure(self, of_job: Policy, row: Row, node: str, exception: str, message: str, where: str) -> None:
        node = find_original(node)
        self.by_node[node] += 1
        policy = self.layout.nodes[node].operator.on_error or of_job
        if policy == "fail":
            details: Details = {"node": node}
            if origin := find_origin(self.layout, row):
                details["topic"], details["partition"], details["offset"] = origin
            raise RecordFailed(
                f"`{node}` failed {_describe_place(self.layout, row)}: {message}",
                "Correct the node or the record, or send such records to the dead letters.",
                **details,
            )
        if find_owner(node) in self.clones:
            return
        if policy == "dead_letter":
            self.dead_letters[find_owner(node)] += 1
            self._emit_dead_letter(row, node, exception, message, where)
        elif (log := self.log_of(node)).has_room():
            log.write(f"skipped a record {_describe_place(self.layout, row)}: {message}", logging.WARNING)

    def _emit_dead_letter(self, row: Row, node: str, exception: str, message: str, where: str) -> None:
        headers = {
            f"{PREFIX}exception": exception,
            f"{PREFIX}message": message,
            f"{PREFIX}stacktrace": f"{exception}: {message}\n\tat {where}",
            f"{PREFIX}node": node,
        }
        headers |= write_origin(find_origin(self.layout, row))
        headers[f"{PREFIX}at"] = str(self.clock())
        if row[TARGET] >= 0 and isinstance(self.layout.targets[row[TARGET]], Source):
            headers[f"{PREFIX}input"] = "true"
        self.emit((self.layout.dead_letter, *row[KEY:HEADERS], add_headers(row[HEADERS], headers), *row[ORIGIN:]))


def find_origin(layout: Layout, row: Row) -> Origin | None:
    """Return the Kafka record from which a row was read or made. None for a row without a record."""
    read = layout.targets[row[TARGET]] if row[TARGET] >= 0 else None
    return make_origin(layout, row[ORIGIN], row[SEQ], read if isinstance(read, Source) else None)


def make_origin(layout: Layout, number: int, offset: int, source: Source | None = None) -> Origin | None:
    """Return an input record by the number of its input (`number_input`). Its source may be known already."""
    if source is None:
        target_number = number // PARTITIONS - 1
        target = layout.targets[target_number] if 0 <= target_number < len(layout.targets) else None
        if not isinstance(target, Source):
            return None
        source = target
    return Origin(source.topic, number % PARTITIONS, offset)


def write_origin(origin: Origin | None) -> dict[str, str]:
    """Return the headers of a dead letter that name its input record."""
    return {f"{PREFIX}{name}": str(fact) for name, fact in origin._asdict().items()} if origin else {}


def _describe_place(layout: Layout, row: Row) -> str:
    """The place of a failure, in words."""
    if origin := find_origin(layout, row):
        return f"on offset {origin.offset} of partition {origin.partition} of {origin.topic}"
    return f"on a record of {row[TIME]} ms" if row[TARGET] >= 0 else "in a punctuator"


def name_side(decode_key: Decoder, row: Row) -> str:
    """Says whether the key or the value of a row cannot be decoded."""
    try:
        if row[KEY] is not None:
            decode_key(row[KEY])
    except DecodeError:
        return "key"
    return "value"
