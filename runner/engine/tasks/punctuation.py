"""Punctuators: callbacks at intervals of stream time or of wall-clock time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from struct import Struct
from typing import Literal, Protocol, get_args

from runner.engine.planning.layout import Layout
from runner.engine.records.record import Receive
from runner.engine.stores.state import PREFIX, State, Within
from runner.engine.stores.times import StreamTime
from runner.engine.tasks.event_time import Clock

PUNCTUATORS = "punctuation times"
"""The part in which a node keeps its schedules. The space sets it apart from stores that users name."""
IDLE = "idle time"
"""The part in which a node keeps the time when it continues without records (see `find_idling`)."""
PunctuationType = Literal["stream_time", "wall_clock"]
TYPES: tuple[PunctuationType, ...] = get_args(PunctuationType)
NEVER = 2**63 - 1
LETTER: Mapping[PunctuationType, bytes] = {"stream_time": b"s", "wall_clock": b"w"}
NUMBER = Struct(">H")
TIMES = Struct(">qq")


class Owner(Protocol):
    """Owner of punctuators."""

    def punctuate(self, schedule: Schedule, now: int) -> None: ...


class Schedule:
    """One punctuator. It is due when time reaches `at` (PunctuationSchedule). `cancel()` ends it for good."""

    def __init__(self, owner: Owner, kind: PunctuationType, interval_ms: int, at: int) -> None:
        self.owner = owner
        self.kind: PunctuationType = kind
        self.interval_ms = interval_ms
        self.at = at
        self.call: Callable[[int], object] | None = None

    def cancel(self) -> None:
        """Stop calling it for good."""
        self.at = NEVER

    def pass_on(self, now: int) -> None:
        """Moves to the next multiple of the interval after `now`. Missed calls are skipped."""
        self.at += ((now - self.at) // self.interval_ms + 1) * self.interval_ms


class Punctuations:
    """The punctuators of one task (PunctuationQueue), and the stream time of the whole task.

    Those of stream time are examined after each record (StreamTask.maybePunctuateStreamTime), those of wall-clock
    time at the end of each batch.
    """

    def __init__(self, time: StreamTime, clock: Clock) -> None:
        self.time = time
        self.clock = clock
        self.schedules: list[Schedule] = []
        self.due = NEVER
        """No schedule of stream time is due before this."""

    def add(self, schedule: Schedule) -> None:
        self.schedules.append(schedule)
        if schedule.kind == "stream_time":
            self.due = min(self.due, schedule.at)

    def find_first_time(self, kind: PunctuationType, interval_ms: int) -> int:
        """First time of a new schedule: at once for stream time, after its interval for wall-clock time."""
        return 0 if kind == "stream_time" else self.clock() + interval_ms

    def take_records(self, receive: Receive, guard: Callable[[Receive], Receive]) -> Receive:
        """Wraps the receiver of a task's records. An error of a record does not delay punctuators."""
        take, time = guard(receive), self.time

        def take_record(key: object, value: object, timestamp: int) -> None:
            time.observe(timestamp)
            take(key, value, timestamp)
            if time.value >= self.due:
                self.punctuate("stream_time", time.value)

        return take_record

    def tick(self) -> None:
        """Calls the punctuators that are due by the wall clock."""
        if any(each.kind == "wall_clock" for each in self.schedules):
            self.punctuate("wall_clock", self.clock())

    def punctuate(self, kind: PunctuationType, now: int) -> None:
        """Calls due punctuators, the earliest first and each once, however much time has passed."""
        waiting = [each for each in self.schedules if each.kind == kind]
        while waiting and (first := min(waiting, key=_get_time)).at <= now:
            first.owner.punctuate(first, now)
            if first.at != NEVER:
                first.pass_on(now)
        self.due = min((each.at for each in self.schedules if each.kind == "stream_time"), default=NEVER)


class Schedules:
    """The schedules of one node, kept in its state in the order of init()'s requests.

    Each batch creates a new user object, which makes its requests again. The n-th request continues the
    n-th schedule, if it is of the same type and interval. A cancelled one stays cancelled. Those that a version of the
    code no longer requests are forgotten, because the task would be called for them again and again.
    """

    def __init__(self, owner: Owner, state: State, punctuations: Punctuations) -> None:
        self.owner = owner
        self.state = state
        self.punctuations = punctuations
        self.next_numbers: dict[PunctuationType, int] = dict.fromkeys(TYPES, 0)
        self.by_place: dict[tuple[PunctuationType, int], Schedule] = {}
        for key, times in state.range(b"", None):
            kind = next(each for each in TYPES if LETTER[each] == key[:1])
            self.by_place[kind, NUMBER.unpack(key[1:])[0]] = Schedule(owner, kind, *TIMES.unpack(times))

    def begin(self) -> None:
        """Another object will request its schedules."""
        self.next_numbers = dict.fromkeys(TYPES, 0)
        for schedule in self.by_place.values():
            schedule.call = None

    def ask(self, kind: PunctuationType, interval_ms: int, call: Callable[[int], object]) -> Schedule:
        place = kind, self.next_numbers[kind]
        self.next_numbers[kind] += 1
        schedule = self.by_place.get(place)
        if schedule is None or schedule.interval_ms != interval_ms:
            at = self.punctuations.find_first_time(kind, interval_ms)
            schedule = self.by_place[place] = Schedule(self.owner, kind, interval_ms, at)
        schedule.call = call
        return schedule

    def end(self) -> None:
        """No further requests follow: the requested schedules wait for their time."""
        of_others = [each for each in self.punctuations.schedules if each.owner is not self.owner]
        self.punctuations.schedules = of_others
        for place, schedule in list(self.by_place.items()):
            if schedule.call is not None:
                self.punctuations.add(schedule)
            else:
                self.state.delete(_name(place))
                del self.by_place[place]

    def flush(self) -> None:
        for place, schedule in self.by_place.items():
            self.state.put(_name(place), TIMES.pack(schedule.interval_ms, schedule.at))


def find_sub_topologies_with_punctuators(layout: Layout) -> list[int]:
    """The sub-topologies whose tasks may have punctuators."""
    numbers = {store.sub_topology for store in layout.stores if store.part == PUNCTUATORS}
    return sorted(number for number in numbers if number is not None)


def find_ticking(layout: Layout) -> list[int]:
    """Return the sub-topologies that may have punctuators of the wall clock."""
    ticks = {each for each, at in layout.nodes.items() if at.operator.needs_ticks()}
    numbers = find_sub_topologies_with_punctuators(layout)
    return [number for number in numbers if ticks & set(layout.sub_topologies[number].nodes)]


def find_idling(layout: Layout) -> list[int]:
    """The sub-topologies whose tasks may continue without records."""
    numbers = {store.sub_topology for store in layout.stores if store.part == IDLE}
    return sorted(number for number in numbers if number is not None)


def is_due(layout: Layout, sub_topology: int, task: int, state: State, now: int) -> bool:
    """True if the wall clock has reached a due time of a task, by its state.

    If idle time was not kept before, a task begins to keep it.
    """
    for number, store in enumerate(layout.stores):
        if store.sub_topology == sub_topology and store.part in (PUNCTUATORS, IDLE):
            due_times = [
                TIMES.unpack(times)[1] for _, times in Within(state, PREFIX.pack(task, number)).range(b"w", None)
            ]
            if any(at <= now for at in due_times) or (store.part == IDLE and not due_times):
                return True
    return False


def _name(place: tuple[PunctuationType, int]) -> bytes:
    kind, number = place
    return LETTER[kind] + NUMBER.pack(number)


def _get_time(schedule: Schedule) -> int:
    return schedule.at
