"""Writers beside slots as a small model: every order of steps of drivers, task attempts and Kafka is explored.

A process that stops for good is one whose next step never comes, so each point between two steps is a crash point, and
an older driver or attempt that goes on later is a zombie. Without any one of the `Rules` a record is lost or doubled,
or a job cannot go on: so the model sees what each rule is for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

RECORDS = 2
"""Record r of the input gives one result, in slot r % slots."""
SLOTS = (2, 1)
"""Of each epoch: another number of slots begins another epoch."""
EXTRA = 3
"""Runs beyond those that a search allows, instead of one that ended: what an older one plans, plans ahead and
notes in the same checkpoint can end the newer one so often."""
NOBODY = (0, 0, False)
DRIVER = 9
"""Instead of a worker: the driver itself holds the id of a slot."""


@dataclass(frozen=True)
class Rules:
    """What keeps results exact. A rule that is off is broken."""

    marks: bool = True
    """An attempt writes its slot's marker with its results, and skips what the marker holds."""
    init_first: bool = True
    """It reads the marker after it fenced others, not before."""
    claims: bool = True
    """A driver takes the id of each slot and puts its generation into the marker before it looks."""
    generations: bool = True
    """An attempt of an older generation than its marker's does not write."""
    confirms: bool = True
    """A driver is sure that no one follows it yet before attempts may begin."""
    keeps_plan: bool = True
    """A batch that a slot has written is executed again as it was planned."""
    takes_back: bool = True
    """What Spark has committed beyond the marker of the whole is executed again."""
    settles: bool = True
    """A batch begins once the one before is marked as done."""
    as_begun: bool = True
    """What slots have begun to write they end, wherever the run is now."""
    whole_epochs: bool = True
    """A new number of slots waits until no batch is written in part."""
    fences_before_copy: bool = True
    """A checkpoint is copied after all that may still write are fenced."""
    notes_begin: bool = True
    """A run says in its checkpoint that it begins: what the one before it left there counts no more."""
    newest_counts: bool = True
    """What an older run leaves in a checkpoint does not count."""
    refuses_deleted: bool = True
    """A run goes on without a marker only if none was ever needed."""


class Mark(NamedTuple):
    """Of a slot: the last batch it wrote, and the newest generation that claimed it. Batch -1: none."""

    batch: int
    generation: int


class Job(NamedTuple):
    """The marker of the whole: the last batch that is done, and where its input ended."""

    batch: int
    read: int


class Folder(NamedTuple):
    """A checkpoint: where each planned batch ends, and how many of them Spark has committed.

    `run` is the generation of the newest run, and `left` the last batch by the marker that it left; -1: none.
    """

    begin: int
    ends: tuple[int, ...]
    committed: int
    run: int = 0
    left: int = -1

    def range(self, batch: int) -> tuple[int, int]:
        """The records that a planned batch reads."""
        return (self.ends[batch - 1] if batch else self.begin), self.ends[batch]


Place = Literal["host", "cluster"]
Step = Literal["claim", "copy", "judge", "plan", "run", "commit", "mark"]


class Driver(NamedTuple):
    """A run. `half` is the batch that slots had written in part when it began; -1: none. It knows where
    planned batches end, and `reads` is of the current one."""

    generation: int
    place: Place
    epoch: int
    step: Step
    batch: int = -1
    half: int = -1
    ends: tuple[int, ...] = ()
    reads: tuple[int, int] = (0, 0)
    answered: tuple[int, ...] = ()


class Attempt(NamedTuple):
    """A task that writes one slot's results of a batch."""

    generation: int
    worker: int
    epoch: int
    slot: int
    batch: int
    begin: int
    end: int
    step: Literal["init", "read", "write", "answer"] = "init"

    @property
    def token(self) -> tuple[int, int]:
        return self.generation, self.worker

    def is_of(self, driver: Driver) -> bool:
        """Whether a driver waits for it."""
        return (driver.generation, driver.epoch, driver.batch) == (self.generation, self.epoch, self.batch)


class State(NamedTuple):
    """All of it. `shared` are the checkpoints by place.

    `slot_ids` says who called init_transactions last for each slot, and whether it has committed since.
    Kafka deletes all markers once at most, and one run at most ends in order before its input does.
    """

    driver_id: int = 0
    slot_ids: tuple[tuple[int, int, bool], ...] = (NOBODY,) * max(SLOTS)
    marks: tuple[tuple[Mark | None, ...], ...] = ((None,) * SLOTS[0], (None,) * SLOTS[1])
    jobs: tuple[Job, ...] = (Job(-1, 0),)
    written: tuple[int, ...] = (0,) * RECORDS
    shared: tuple[Folder, Folder] = (Folder(0, (), 0), Folder(0, (), 0))
    at: Place = "host"
    drivers: tuple[Driver, ...] = ()
    attempts: frozenset[Attempt] = frozenset()
    generation: int = 0
    has_left: bool = False
    markers: Literal["kept", "deleted", "back"] = "kept"


Found = Literal["lost", "doubled", "stuck"]


class Bounds(NamedTuple):
    """What is explored: runs at once, workers that try the same slot at once, epochs, and whether markers go."""

    generations: int
    workers: int
    epochs: int = len(SLOTS)
    deletes: bool = False


def explore(rules: Rules, bounds: Bounds) -> tuple[int, Found | None]:
    """How many states there are, and the first fault that one of them shows. Breadth first, all of them."""
    model = Model(rules, bounds)
    states = [State()]
    numbers = {states[0]: 0}
    before: list[list[int]] = [[]]
    for number, state in enumerate(states):  # which grow meanwhile
        for after in model.after(state):
            found = numbers.setdefault(after, len(states))  # a state is large: its hash is asked for once
            if found == len(states):
                if fault := fault_of(after):
                    return len(states), fault
                states.append(after)
                before.append([])
            before[found].append(number)
    return len(states), None if _all_end_well(states, before) else "stuck"


def fault_of(state: State) -> Found | None:
    """What is wrong with what readers have."""
    if max(state.written) > 1:
        return "doubled"
    return "lost" if 0 in state.written[: state.jobs[-1].read] else None


def _all_end_well(states: list[State], before: list[list[int]]) -> bool:
    """Whether from each state one can be reached in which all input is done, or in which no one knows what is."""
    reaches = [state.jobs[-1].read == RECORDS or state.markers == "deleted" for state in states]
    waiting = deque(number for number, is_end in enumerate(reaches) if is_end)
    while waiting:
        for earlier in before[waiting.popleft()]:
            if not reaches[earlier]:
                reaches[earlier] = True
                waiting.append(earlier)
    return all(reaches)


class Model:
    """The steps that are possible in a state."""

    def __init__(self, rules: Rules, bounds: Bounds) -> None:
        self.rules = rules
        self.generations, self.workers, self.epochs, self.deletes = bounds

    def after(self, state: State) -> Iterator[State]:
        yield from self._starts(state)
        if self.deletes and state.markers == "kept":
            yield _long_after(state)
        for driver in state.drivers:
            yield from self._driver(state, driver)
        for attempt in state.attempts:
            yield from self._attempt(state, attempt)

    def _starts(self, state: State) -> Iterator[State]:
        """Another run begins, whether the last one has ended or only seems to; it fences its writer at once."""
        ended = not any(driver.generation == state.generation for driver in state.drivers)
        extra = EXTRA + state.has_left + (state.markers != "kept")
        if state.generation < self.generations + (extra if ended and state.jobs[-1].read < RECORDS else 0):
            generation = state.generation + 1
            for place in ("host", "cluster"):
                driver = Driver(generation, place, len(state.jobs) - 1, "copy")
                drivers = (*state.drivers[-1:], driver if not self.rules.fences_before_copy else _at(driver, "claim"))
                yield state._replace(generation=generation, driver_id=generation, drivers=drivers)

    def _driver(self, state: State, driver: Driver) -> Iterator[State]:
        match driver.step:
            case "claim":
                yield self._claimed(state, driver)
            case "copy":
                yield self._copied(state, driver)
            case "judge" if state.markers == "deleted":
                yield self._put_back(state, driver)
            case "judge":
                yield self._judged(state, driver)
                if driver.generation == state.generation and len(state.jobs) < self.epochs:
                    yield from self._other_epoch(state, driver)
            case "plan":
                yield from self._planned(state, driver)
                if self.deletes and not state.has_left:
                    yield self._left(state, driver)
            case "run":
                yield from self._ran(state, driver)
            case "commit":
                yield self._noted(state, driver)
            case "mark":
                yield self._marked(state, driver)
                if not self._beside(driver, driver.batch + 1) or not self.rules.settles:
                    yield from self._ahead(state, driver)

    def _claimed(self, state: State, driver: Driver) -> State:
        """On its own host a run takes the slots that a cluster has written. Slots are apart, so one step does."""
        for slot, mark in enumerate(state.marks[driver.epoch]):
            if self.rules.claims and (driver.place == "cluster" or mark is not None):
                if mark is not None and mark.generation > driver.generation:
                    return _with(state, driver, None)
                state = _held(state, slot, (driver.generation, DRIVER, False))
                state = _mark(state, driver.epoch, slot, Mark(mark.batch if mark else -1, driver.generation))
        return _with(state, driver, _at(driver, "copy" if self.rules.fences_before_copy else "judge"))

    def _copied(self, state: State, driver: Driver) -> State:
        if driver.place != state.at and driver.generation == state.generation:
            source = state.shared[state.at == "cluster"]
            state = _filed(state, driver, source)._replace(at=driver.place)
        return _with(state, driver, _at(driver, "judge" if self.rules.fences_before_copy else "claim"))

    def _judged(self, state: State, driver: Driver) -> State:
        """What Spark has beyond the marker is taken back, but for the plan of what slots have begun to write.

        The driver's own id says that no one follows it yet.
        """
        job, folder = state.jobs[driver.epoch], _folder(state, driver)._replace(run=driver.generation)
        folder = folder._replace(left=-1 if self.rules.notes_begin else folder.left)
        half = self._is_half(state, driver.epoch)
        fenced = state.driver_id != driver.generation and self.rules.confirms
        committed = min(folder.committed, job.batch + 1) if self.rules.takes_back else folder.committed
        if fenced or len(folder.ends) < max(job.batch + 1 + half, committed):
            return _with(state, driver, None)
        kept = job.batch + 1 + (half and self.rules.keeps_plan)
        taken_back = folder._replace(ends=folder.ends[: max(kept, committed)], committed=committed)
        reads = taken_back.range(committed - 1) if committed else (folder.begin, folder.begin)
        found = driver._replace(batch=committed - 1, half=job.batch + 1 if half else -1, reads=reads)
        return _with(_filed(state, driver, taken_back), driver, found._replace(ends=taken_back.ends, step="plan"))

    def _put_back(self, state: State, driver: Driver) -> State:
        """What the last run left of its marker is put back. Without it nothing may have been planned."""
        folder = _folder(state, driver)
        if folder.left >= 0 and folder.left == folder.committed - 1:
            job = Job(folder.left, folder.range(folder.left)[1])
        else:
            job = Job(-1, folder.begin)
        fenced = state.driver_id != driver.generation
        if fenced or (job.batch < 0 and folder.ends and self.rules.refuses_deleted):
            return _with(state, driver, None)
        return state._replace(jobs=(*state.jobs[: driver.epoch], job, *state.jobs[driver.epoch + 1 :]), markers="back")

    def _left(self, state: State, driver: Driver) -> State:
        """A run ends in order, between two batches. One that has not ended what slots began leaves nothing."""
        folder = _folder(state, driver)
        if driver.half <= driver.batch and (folder.run == driver.generation or not self.rules.newest_counts):
            state = _filed(state, driver, folder._replace(left=driver.batch))
        return _with(state._replace(has_left=True), driver, None)

    def _is_half(self, state: State, epoch: int) -> bool:
        return any(mark is not None and mark.batch > state.jobs[epoch].batch for mark in state.marks[epoch])

    def _other_epoch(self, state: State, driver: Driver) -> Iterator[State]:
        """The number of slots changes: what is written in part has to be ended first."""
        if not (self.rules.whole_epochs and self._is_half(state, driver.epoch)):
            read = state.jobs[-1].read
            begun = state._replace(jobs=(*state.jobs, Job(-1, read)), shared=(Folder(read, (), 0),) * 2)
            yield _with(begun, driver, driver._replace(epoch=driver.epoch + 1, step="claim"))

    def _planned(self, state: State, driver: Driver) -> Iterator[State]:
        """Plans a batch, unless it is planned. Spark ends where someone else has planned it meanwhile."""
        batch, folder = driver.batch + 1, _folder(state, driver)
        ready = driver._replace(batch=batch, step="run", answered=())
        if len(driver.ends) > batch:
            yield _with(state, driver, ready._replace(reads=(driver.reads[1], driver.ends[batch])))
        elif len(folder.ends) == batch:
            for end in range(driver.reads[1] + 1, RECORDS + 1):
                planned = _filed(state, driver, folder._replace(ends=(*folder.ends, end)))
                ends = (*driver.ends, end)
                yield _with(planned, driver, ready._replace(reads=(driver.reads[1], end), ends=ends))
        else:
            yield _with(state, driver, None)

    def _noted(self, state: State, driver: Driver) -> State:
        """Spark records that a batch was executed, once."""
        folder = _folder(state, driver)
        if folder.committed != driver.batch:
            return _with(state, driver, None)
        return _with(_filed(state, driver, folder._replace(committed=driver.batch + 1)), driver, _at(driver, "mark"))

    def _ahead(self, state: State, driver: Driver) -> Iterator[State]:
        """Spark goes on while a batch is being marked."""
        batch, folder = driver.batch + 1, _folder(state, driver)
        if len(driver.ends) == batch == len(folder.ends):
            for end in range(driver.reads[1] + 1, RECORDS + 1):
                planned = _filed(state, driver, folder._replace(ends=(*folder.ends, end)))
                yield _with(planned, driver, driver._replace(ends=(*driver.ends, end)))
        elif len(driver.ends) > batch and self._beside(driver, batch):
            yield from self._launched(state, driver, batch, driver.reads[1], driver.ends[batch])

    def _ran(self, state: State, driver: Driver) -> Iterator[State]:
        slots = {record % SLOTS[driver.epoch] for record in range(*driver.reads)}
        if not self._beside(driver, driver.batch) or slots <= set(driver.answered):
            yield _with(state, driver, _at(driver, "commit"))
        else:
            yield from self._launched(state, driver, driver.batch, *driver.reads)

    def _launched(self, state: State, driver: Driver, batch: int, begin: int, end: int) -> Iterator[State]:
        for slot in sorted({record % SLOTS[driver.epoch] for record in range(begin, end)} - set(driver.answered)):
            for worker in range(self.workers):
                attempt = Attempt(driver.generation, worker, driver.epoch, slot, batch, begin, end)
                if not any(each[:4] == attempt[:4] for each in state.attempts):
                    if not self.rules.init_first:
                        attempt = attempt._replace(step="read")
                    elif state.slot_ids[slot] == (*attempt.token, True):
                        attempt = attempt._replace(step="write")  # it trusts the producer that it has
                    yield state._replace(attempts=state.attempts | {attempt})

    def _beside(self, driver: Driver, batch: int) -> bool:
        return driver.place == "cluster" or (batch == driver.half and self.rules.as_begun)

    def _marked(self, state: State, driver: Driver) -> State:
        """The driver's own transaction: without writers beside slots it holds the results too."""
        if state.driver_id != driver.generation:
            return _with(state, driver, None)
        if not self._beside(driver, driver.batch):
            state = _wrote(state, range(*driver.reads))
        jobs = (*state.jobs[: driver.epoch], Job(driver.batch, driver.reads[1]), *state.jobs[driver.epoch + 1 :])
        over = driver.reads[1] == RECORDS
        return _with(state._replace(jobs=jobs), driver, None if over else _at(driver, "plan"))

    def _attempt(self, state: State, attempt: Attempt) -> Iterator[State]:
        mark = state.marks[attempt.epoch][attempt.slot]
        match attempt.step:
            case "init":
                held = _held(state, attempt.slot, (*attempt.token, False))
                yield _then(held, attempt, "read" if self.rules.init_first else "write")
            case "read" if mark and mark.generation > attempt.generation and self.rules.generations:
                yield _then(state, attempt, None)
            case "read" if mark and mark.batch >= attempt.batch and self.rules.marks:
                yield _then(state, attempt, "answer")
            case "read":
                yield _then(state, attempt, "write" if self.rules.init_first else "init")
            case "write":
                yield self._committed(state, attempt)
            case "answer":
                yield _answered(state, attempt)

    def _committed(self, state: State, attempt: Attempt) -> State:
        """All or nothing, and nothing once someone else has taken the id."""
        if state.slot_ids[attempt.slot][:2] != attempt.token:
            return _then(state, attempt, "init" if self.rules.init_first else None)
        own = [record for record in range(attempt.begin, attempt.end) if record % SLOTS[attempt.epoch] == attempt.slot]
        mark = state.marks[attempt.epoch][attempt.slot]
        generation = max(attempt.generation, mark.generation if mark else 0)
        state = _mark(_wrote(state, own), attempt.epoch, attempt.slot, Mark(attempt.batch, generation))
        return _then(_held(state, attempt.slot, (*attempt.token, True)), attempt, "answer")


def _long_after(state: State) -> State:
    """All have stopped for good, and Kafka has deleted what they committed."""
    nothing = tuple((None,) * slots for slots in SLOTS)
    ids = (NOBODY,) * max(SLOTS)
    return state._replace(markers="deleted", marks=nothing, slot_ids=ids, drivers=(), attempts=frozenset())


def _at(driver: Driver, step: Step) -> Driver:
    return driver._replace(step=step)


def _with(state: State, driver: Driver, changed: Driver | None) -> State:
    """The state with a driver that went on, or ended."""
    drivers = (changed if each is driver else each for each in state.drivers)
    return state._replace(drivers=tuple(each for each in drivers if each is not None))


def _folder(state: State, driver: Driver) -> Folder:
    """The checkpoint of a run. That of an older epoch is no one else's, so what the run knows of it will do."""
    if driver.epoch < len(state.jobs) - 1:
        return Folder(0, driver.ends, max(driver.batch, 0))
    return state.shared[driver.place == "cluster"]


def _filed(state: State, driver: Driver, folder: Folder) -> State:
    host, cluster = state.shared
    if driver.epoch < len(state.jobs) - 1:
        return state
    return state._replace(shared=(host, folder) if driver.place == "cluster" else (folder, cluster))


def _held(state: State, slot: int, token: tuple[int, int, bool]) -> State:
    """Someone calls init_transactions: what others left open is aborted."""
    return state._replace(slot_ids=(*state.slot_ids[:slot], token, *state.slot_ids[slot + 1 :]))


def _mark(state: State, epoch: int, slot: int, mark: Mark) -> State:
    of_epoch = state.marks[epoch]
    changed = (*of_epoch[:slot], mark, *of_epoch[slot + 1 :])
    return state._replace(marks=(*state.marks[:epoch], changed, *state.marks[epoch + 1 :]))


def _wrote(state: State, records: range | list[int]) -> State:
    return state._replace(written=tuple(min(count + (n in records), 2) for n, count in enumerate(state.written)))


def _then(state: State, attempt: Attempt, step: Literal["init", "read", "write", "answer"] | None) -> State:
    """The state with an attempt that went on or ended. One that no one waits for ends with what it wrote."""
    rest = state.attempts - {attempt}
    if step is None or (step == "answer" and not any(map(attempt.is_of, state.drivers))):
        return state._replace(attempts=rest)
    return state._replace(attempts=rest | {attempt._replace(step=step)})


def _answered(state: State, attempt: Attempt) -> State:
    for driver in filter(attempt.is_of, state.drivers):
        known = driver._replace(answered=tuple(sorted({*driver.answered, attempt.slot})))
        state = _with(state, driver, known)
    return _then(state, attempt, None)
