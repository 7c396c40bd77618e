"""The processor that runs an object of a user's class."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from designer.reasons import Reason
from designer.values.schemas import Side
from runner.engine.code.processor_api import Origin, Record, make_record, write_headers
from runner.engine.code.processor_api import Processor as UserProcessor
from runner.engine.code.processor_api import ProcessorContext as UserContext
from runner.engine.code.user_code import describe_error, find_line, make_code_failure
from runner.engine.formats import DecodeError
from runner.engine.planning.layout import Shuffle, Source
from runner.engine.records.plain import FLAT, copy_value, make_fitter
from runner.engine.records.record import HEADERS, ORIGIN, PARTITIONS, TIME, Row
from runner.engine.records.record import Origin as SourceRecord
from runner.engine.stores.of_code.store import StoreOfCode
from runner.engine.tasks.errors import CodeRaised, find_origin
from runner.engine.tasks.event_time import LATEST_MS
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext
from runner.engine.tasks.punctuation import TYPES, PunctuationType, Schedule, Schedules
from runner.engine.tasks.side_effects import Asked, write_question

MAX_INTERVAL_MS = 1 << 62
NOWHERE: Origin = (None, None, None)


class CodeProcessor(Processor):
    """Gives each record to an object of a user's class, which forwards any records (ProcessorNode).

    The object lives for one batch. Then it is closed, and its stores and schedules are written. Its exception is an
    error of the record, or of the punctuator. In init() and close() it fails the task.
    """

    silence = Reason.NOTHING_OF_CODE
    forwards_often = True

    def __init__(
        self,
        context: ProcessorContext,
        make_processor: Callable[[], UserProcessor],
        *,
        key: Side | None,
        value: Side,
    ) -> None:
        """`key` is None if records keep theirs. Ready after `begin()`, once it has its stores and schedules."""
        self.node = context.owner
        self.context = context.record_context
        self.layout = context.layout
        self.task = context.task.number
        self.node_in_task, self.of_task = context.node, context.task
        self.clock = context.task.wall_clock
        self.errors = context.task.errors
        self.time = context.task.stream_time
        self.make_processor = make_processor
        self.stores: dict[str, StoreOfCode] = {}
        self.schedules: Schedules | None = None
        self.fit_key = None if key is None else make_fitter(key.type)
        self.fit_value = make_fitter(value.type)
        self.api = UserContext(self)
        self.sent_count = self.settled_count = 0
        """Number of forwarded records, and numbers of forwarded and dropped records that are accounted for."""
        self.key: Any = None
        self.in_record = self.in_init = self.is_asking = False
        self.failure_behind: Exception | None = None
        self.random: tuple[str, Random] | None = None
        """The numbers of a record, and what they follow from."""
        self.user: UserProcessor | None = None

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if self.user is None:
            self.begin()
        given_key = key if type(key) in FLAT else copy_value(key)
        given_value = value if type(value) in FLAT else copy_value(value)
        self.key, self.in_record = key, True
        failure_count = 0
        try:
            self.user.process(make_record(given_key, given_value, timestamp, self.context.row[HEADERS]))  # type: ignore[union-attr]
        except (Exception, SystemExit) as error:
            failure_count = 1
            self._raise(error)
        finally:
            self.in_record = False
            self.settle(self._count_results() + failure_count)
        if self.failure_behind is not None:
            self._raise(self.failure_behind)

    def punctuate(self, schedule: Schedule, now: int) -> None:
        """Calls a punctuator, without a source record and headers."""
        if self.user is None:
            self.begin()
        if schedule.call is None:
            return
        row: Row = self.context.row
        self.context.row = (-1, None, None, now, None, -1, -1)
        try:
            self._call(schedule.call, now)
        except CodeRaised as error:
            self.extra += 1
            self.errors.handle_processing(error, self.context.row)
        finally:
            self.context.row = row
            self.extra += self._count_results()

    def send(self, record: Record) -> None:
        """Forwards a copy of a user's record."""
        if type(record) is not Record:
            raise TypeError(f"forward() takes a Record, not a {type(record).__name__}: record.with_value(…) gives one.")
        if self.is_asking:
            raise RuntimeError("The function of a side effect gives an answer. Forward records outside of it.")
        if self.user is None:
            raise RuntimeError(
                "forward() has nowhere to go in init() and close(): use it in process() or a punctuator."
            )
        key, value, timestamp = self._convert_key(record), self._convert_value(record), record.timestamp
        if type(timestamp) is not int or not 0 <= timestamp <= LATEST_MS:
            expectation = f"milliseconds from 1970 on, at most {LATEST_MS}"
            raise ValueError(f"The timestamp of a record is {timestamp!r:.40}; expected {expectation}.")
        headers, row = write_headers(record), self.context.row
        self.sent_count += 1
        try:
            if headers != row[HEADERS]:
                self.context.row = (*row[:HEADERS], headers, *row[ORIGIN:])
            self.forward(key, value, timestamp)
        except Exception as error:  # an error downstream, even if the code catches it
            self.failure_behind = error
            raise
        finally:
            self.context.row = row

    def schedule(self, interval_ms: int, kind: PunctuationType, callback: Callable[[int], object]) -> Schedule:
        if self.schedules is None or not self.in_init:
            raise RuntimeError("schedule() belongs in init(): only there are the callbacks known in every batch.")
        if kind not in TYPES:
            raise ValueError(f"schedule() was asked for {kind!r:.40}; expected one of {', '.join(TYPES)}.")
        if type(interval_ms) is not int or not 1 <= interval_ms <= MAX_INTERVAL_MS:
            raise ValueError("The minimum supported scheduling interval is 1 millisecond.")
        if not callable(callback):
            raise TypeError(f"The third argument of schedule() is a {type(callback).__name__}; expected a method.")
        return self.schedules.ask(kind, interval_ms, callback)

    def origin(self) -> Origin:
        """Topic, partition and offset of the source record."""
        target, *_, number, offset = self.context.row
        if target < 0:
            return NOWHERE
        match self.layout.targets[target]:
            case Source(topic=topic):
                return topic, number % PARTITIONS, offset
            case Shuffle(name=name):
                return name, None, None
            case _:
                return NOWHERE

    def find_random(self) -> Random:
        """Random numbers that follow from the node and the source record, or from the task and time of a punctuator.

        Not from numbers of a layout: another version of the topology must see the same ones in a proof.
        """
        row = self.context.row
        seed = f"{self.node} {find_origin(self.layout, row) or (self.task, row[TIME])}"
        if self.random is None or self.random[0] != seed:
            self.random = seed, Random(seed)
        return self.random[1]

    def call_outside(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Calls a function and records its answer, or gives the one that was recorded."""
        if self.user is None:
            raise RuntimeError("side_effect() belongs in process() or a punctuator, whose batch keeps the answer.")
        row = self.context.row
        origin = find_origin(self.layout, row) or SourceRecord("", 0, row[TIME])
        asked = Asked(self.node_in_task, self.task, origin, write_question(function, arguments))
        self.is_asking = True
        try:
            return self.of_task.side_effects.call(asked, lambda: function(*arguments))
        finally:
            self.is_asking = False

    def flush(self) -> None:
        if self.user is not None:
            user, self.user = self.user, None
            try:
                user.close()
            except (Exception, SystemExit) as error:
                raise make_code_failure(self.node, "fails in close()", error) from error
        for store in self.stores.values():
            store.flush()
        self.extra += self._count_results()
        if self.schedules is not None:
            self.schedules.flush()

    def count_forwarded(self, input_count: int, errors: int) -> int:
        return self.sent_count

    def _count_results(self) -> int:
        """Number of records sent and dropped since the last call."""
        before, self.settled_count = self.settled_count, self.sent_count + self.drop_count
        return self.settled_count - before

    def begin(self) -> None:
        """Makes the user's object."""
        self.in_init = True
        if self.schedules is not None:
            self.schedules.begin()
        try:
            user = self.make_processor()
            user.init(self.api)
        except (Exception, SystemExit) as error:
            raise make_code_failure(self.node, "fails in init()", error) from error
        self.user, self.in_init = user, False
        if self.schedules is not None:
            self.schedules.end()

    def _call(self, callback: Callable[[int], object], now: int) -> None:
        try:
            callback(now)
        except (Exception, SystemExit) as error:
            self._raise(error)
        if self.failure_behind is not None:
            self._raise(self.failure_behind)

    def _raise(self, error: BaseException) -> None:
        behind, self.failure_behind = self.failure_behind, None
        if behind is not None:
            raise behind
        line = find_line(self.node, error)
        field = f"code:{line}" if line else "code"
        raise CodeRaised(self.node, field, describe_error(self.node, error), type(error).__name__) from error

    def _convert_key(self, record: Record) -> Any:
        if self.fit_key is not None:
            return _fit("key", self.fit_key, record.key)
        if not self.in_record:
            raise RuntimeError("process_values has no key to keep in a punctuator: use process.")
        if record.key != self.key:
            raise ValueError(f"process_values keeps the key, and this record has {record.key!r:.40}: use process.")
        return self.key

    def _convert_value(self, record: Record) -> Any:
        return _fit("value", self.fit_value, record.value)


def _fit(side: str, fit: Callable[[Any], Any], value: Any) -> Any:
    try:
        return fit(value)
    except DecodeError as error:
        raise TypeError(f"The {side} of a forwarded record does not have the declared type. {error.message}") from error
