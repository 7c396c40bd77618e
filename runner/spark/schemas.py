"""The schemas of a registry that a run knows, and the records that wait for others.

No record waits for HTTP, and none is lost or sent to the dead letters because the registry is away:

1. A worker finds the ids of a partition before it processes any record of it. An unknown one fails the batch, whose
   results nobody has seen (`runner.spark.source.unknown`).
2. The run asks the registry once for each unknown id, and waits for a moment. It keeps each schema with the checkpoint
   *before* it uses it: a later run decodes the same records without the registry, even if somebody deletes the schema.
3. If all are known now, Spark executes the same batch again, as it was planned.
4. If the registry is away, the partition is held before its first such record. The run takes the batch back, by the
   steps of a start, and plans it again without those records. All other records flow.
5. Meanwhile a thread asks again. Once a schema is there, the query ends after its current batch, and goes on without
   the hold.

A registry that answers, and says that it has no schema of an id, is asked three times, because a follower may be
late. Then records with that id fail one by one, as do those whose schema is too large or refers to itself.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import wait
from dataclasses import dataclass
from functools import partial

import orjson

from designer.refusals import Refusal
from designer.streams.flows import make_operator
from designer.streams.topics import ReadsTopic
from designer.values.schemas import RegistrySchemas, SchemaId, SchemaText, SideName, read_registry_schemas
from runner.plan import Plan
from runner.registry import Registry, RegistryUnreachable, SchemaMissing, SchemaUnusable
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.hadoop import File, get_file
from runner.spark.events import WaitingRecords
from runner.spark.failures import RunFailed
from runner.spark.sink.beside import call_beside
from runner.spark.source.unknown import SchemaPlace, read_places

log = logging.getLogger(__name__)

FOLDER = "schemas"
"""Where a checkpoint keeps them, one file for an id."""
LEARN_SECONDS = 3.0
"""Longest time for which all partitions wait for a schema. Afterwards only those wait that need it."""
ASK_SECONDS = 2.0
"""Time between questions to a registry that is away."""
MISSING_TRIES, MISSING_SECONDS = 3, 0.5
MISSING = SchemaText("MISSING", "")
MAX_MISSING = 100
"""After this many ids that the registry does not have, records with unknown ids fail without a question. Otherwise a
producer of random bytes could stop a job."""
MAX_VERSIONS = 50
"""Newest versions of a subject that are fetched at the start."""


@dataclass(frozen=True)
class Waiting:
    """Records that wait for a schema: the first one, and why the registry did not give it."""

    place: SchemaPlace
    why: str
    since: int
    """Milliseconds since 1970."""


class Schemas:
    """What one run knows of its registry. `tell` hears of each change of what waits."""

    def __init__(self, plan: Plan, tell: Callable[[list[Waiting]], None]) -> None:
        self.plan = plan
        self.tell = tell
        self.folder: File = get_file(plan.checkpoint) / FOLDER
        self.known: dict[SchemaId, SchemaText] = {}
        self.waiting: list[Waiting] = []
        self.is_due = threading.Event()
        """Set once a schema that records wait for is there."""
        self._lock = threading.Lock()
        self._asking: threading.Thread | None = None

    @property
    def is_needed(self) -> bool:
        """True if a source looks up schemas."""
        return any(_list_sources(self.plan))

    def load(self) -> None:
        """Reads the schemas that earlier runs have kept."""
        self.known |= read_kept(self.plan)

    def fetch_subjects(self) -> None:
        """Fetches the newest versions of the sources' subjects, so that most runs meet no unknown id.

        A registry that is away, or lets nobody read a subject, changes nothing: ids are asked for when they come.
        """
        for topic, side, subject, asks in _list_subjects(self.plan):
            try:
                registry = self._connect()
                if asks:
                    subject = registry.find_associated(topic, side) or subject
                for version in registry.versions(subject)[-MAX_VERSIONS:]:
                    found = registry.version(subject, version)
                    if found.id not in self.known:
                        self._keep(found.id, found.schema)
            except Refusal as refusal:
                log.info("The schemas of subject %s are fetched when records need them: %s", subject, refusal.message)
                if isinstance(refusal, RegistryUnreachable):
                    return

    def prepare(self, plan: Plan) -> Plan:
        """The plan with everything that is known now. Its query ends before each record that waits."""
        self.is_due.clear()  # first: what becomes known from now on is due again
        held: dict[str, dict[int, int]] = {}
        for waiting in self.waiting:
            partitions = held.setdefault(waiting.place.topic, {})
            offset = min(waiting.place.offset, partitions.get(waiting.place.partition, waiting.place.offset))
            partitions[waiting.place.partition] = offset
        known = dict(self.known)  # other threads may be adding to it
        missing = sum(schema == MISSING for schema in known.values())
        update = {
            "registry_schemas": {str(number): each for number, each in known.items()},
            "held": held,
        }
        return plan.model_copy(update=update | {"asks_registry": missing < MAX_MISSING})

    def learn(self, failure: RunFailed) -> bool:
        """Fetches the schemas that a failed batch lacked. Returns whether records must wait for some."""
        places = read_places(failure)
        answers = {place.id: call_beside(partial(self._fetch, place.id)) for place in places}
        wait(answers.values(), timeout=LEARN_SECONDS)
        late = "The schema registry has not answered yet."
        reasons = {
            number: why
            for number, answer in answers.items()
            if (why := answer.result() if answer.done() else late) is not None
        }
        now = time.time_ns() // 1_000_000
        earlier = {waiting.place: waiting.since for waiting in self.waiting}
        waiting = [Waiting(each, reasons[each.id], earlier.get(each, now)) for each in places if each.id in reasons]
        with self._lock:
            kept = [each for each in self.waiting if each.place not in places and each.place.id not in self.known]
            self.waiting = [*kept, *waiting]
        numbers = ", ".join(sorted(map(str, answers)))
        log.info("The errors above do not end the run: the batch needed schema %s, and is read again.", numbers)
        self.tell(self.waiting)
        if self.waiting and (self._asking is None or not self._asking.is_alive()):
            self._asking = threading.Thread(target=self._ask_on, daemon=True, name="schemas")
            self._asking.start()
        return bool(waiting)

    def _ask_on(self) -> None:
        """Asks for the schemas that records wait for, until all are there."""
        while True:
            with self._lock:
                numbers = {waiting.place.id for waiting in self.waiting}
                if not numbers:
                    self._asking = None
                    return
            time.sleep(ASK_SECONDS)
            try:
                found = {number for number in numbers if self._fetch(number) is None}
            except Exception:  # such as a full disk: the next round may go well
                log.exception("Schemas that records wait for could not be kept.")
                continue
            if found:
                with self._lock:
                    self.waiting = [waiting for waiting in self.waiting if waiting.place.id not in found]
                self.tell(self.waiting)
                self.is_due.set()

    def _fetch(self, number: SchemaId) -> str | None:
        """Asks the registry for one schema, and keeps it. Returns why it is not there."""
        if number in self.known:
            return None
        try:
            registry = self._connect()
            for left in reversed(range(MISSING_TRIES)):
                try:
                    if isinstance(number, int):
                        schema = registry.schema(number, is_compiled=True)
                    else:
                        schema = registry.schema_of_guid(number, is_compiled=True)
                    break
                except SchemaMissing as refusal:
                    if not left:
                        log.warning("Records with schema %s fail: %s", number, refusal.message)
                        self.known[number] = MISSING  # not kept: a later run asks again
                        return None
                    time.sleep(MISSING_SECONDS)
            self._keep(number, schema)
        except SchemaUnusable as refusal:
            log.warning("Records with schema %s fail: %s", number, refusal.message)
            self.known[number] = SchemaText("UNUSABLE", refusal.message)
        except Refusal as refusal:
            log.warning("Records with schema %s wait: %s", number, refusal.message)
            return refusal.message
        return None

    def _connect(self) -> Registry:
        if not self.plan.registry:
            raise NoRegistry(
                "The cluster of the run has no schema registry.",
                "Name one on the page Clusters, and restart the job.",
            )
        return Registry.of(self.plan.registry)

    def _keep(self, number: SchemaId, schema: SchemaText) -> None:
        """Keeps a schema with the checkpoint, then counts it as known."""
        self.folder.mkdir(parents=True, exist_ok=True)
        whole.write(self.folder / f"{number}.json", orjson.dumps(list(schema)))
        self.known[number] = schema


class NoRegistry(Refusal):
    """The plan names no schema registry."""


def _list_sources(plan: Plan) -> Iterable[ReadsTopic]:
    operators = map(make_operator, plan.read_graph().nodes)
    return (each for each in operators if isinstance(each, ReadsTopic) and each.schema_registry)


def _list_subjects(plan: Plan) -> list[tuple[str, SideName, str, bool]]:
    """Topic, side and subject of each source, by its form, else by the topic's name.

    The last member says whether the registry may associate another subject with the topic.
    """
    return sorted(
        {
            (topic, side, subject, source.subject_strategy == "associated")
            for source in _list_sources(plan)
            for topic in source.topic_names()
            for side, subject in source.list_subjects(topic)
        }
    )


def read_kept(plan: Plan) -> RegistrySchemas:
    """The schemas that runs of the epoch have kept with the checkpoint, and those of the epoch whose state it takes."""
    if not any(_list_sources(plan)):
        return {}
    addresses = [*([plan.seed.checkpoint] if plan.seed else []), plan.checkpoint]
    folders = [folder for address in addresses if (folder := get_file(address) / FOLDER).exists()]
    found = {}
    for file in (file for folder in folders for file in folder.glob("*.json")):
        try:
            found[file.name.removesuffix(".json")] = orjson.loads(file.read_bytes())
        except orjson.JSONDecodeError as error:  # a host that lost power may have left a part of it
            log.warning("%s is damaged, so the registry is asked again: %s", file, error)
    return read_registry_schemas(found)


def to_event(waiting: Iterable[Waiting]) -> list[WaitingRecords]:
    """What waits, as the run tells it to its parent."""
    return [
        {
            "topic": each.place.topic,
            "partition": each.place.partition,
            "offset": each.place.offset,
            "id": each.place.id,
            "why": each.why,
            "since": each.since,
        }
        for each in waiting
    ]
