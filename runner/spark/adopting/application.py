"""A Kafka Streams application on its cluster, beside the drawing that is to continue it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from designer.refusals import Refusal
from designer.text import write_count
from runner.engine.adopting.stores import find_adoptable, find_obstacle
from runner.engine.planning.layers import is_clone
from runner.engine.planning.layout import Layout, Source, Store
from runner.kafka import (
    BrokerError,
    KafkaCluster,
    KafkaUnreachable,
    Topic,
    TopicReader,
    find_transactional_ids,
    list_group_states,
)
from runner.plan import Adopted, AdoptedStore
from runner.spark.codes import RunCode

EMPTY, DEAD = "Empty", "Dead"
CHANGELOG, REPARTITION, INTERNAL = "-changelog", "-repartition", ("-changelog", "-repartition", "-topic")
GENERATED = r"-\d{10}"
READ_SECONDS = 30.0
MAX_COUNTED = 10_000
"""Most offsets of a repartition topic to look through for records."""


class NotAdoptable(Refusal):
    """A drawing cannot continue a Kafka Streams application as it is now. `problems` has each reason."""

    code = RunCode.ADOPTED_NOT_READY
    status = 409


@dataclass(frozen=True)
class InputFacts:
    """A topic that the drawing reads. `committed` has the application's offsets, None where it has none."""

    topic: str
    committed: list[int | None]
    lag: int
    """Offsets that the application has not processed. The job reads them first."""


@dataclass(frozen=True)
class StoreMatch:
    """A store of the drawing, and the topic with its contents. None: no topic fits."""

    store: str
    node: str
    topic: str | None
    is_changelog: bool = True
    records: int = 0
    """Offsets of the topic. It has at most so many rows."""


@dataclass(frozen=True)
class Application:
    """What Kafka knows of an application, and what is in the way of continuing it."""

    name: str
    state: str | None
    """The state of its consumer group. None if there is no group."""
    guarantee: str | None
    """None if it cannot be told."""
    inputs: list[InputFacts]
    stores: list[StoreMatch]
    unmatched: list[str]
    """Changelog topics that no store of the drawing takes."""
    waiting: dict[str, int]
    """By repartition topic, the records that have not reached the next part of the topology."""
    problems: list[str]
    notes: list[str]
    ends: dict[str, list[int]]
    """Where the topics of the stores end."""

    @property
    def is_running(self) -> bool:
        return self.state not in (None, EMPTY, DEAD)

    def refuse_problems(self) -> None:
        """Raises NotAdoptable."""
        if self.problems:
            raise NotAdoptable(
                f"`{self.name}` cannot be adopted yet. {' '.join(self.problems)}",
                "Nothing was changed. Correct this, and look at the application again.",
            )

    def adopt(self) -> Adopted:
        """The stores to begin with."""
        stores = [
            AdoptedStore(
                store=each.store, topic=each.topic, until=self.ends[each.topic], is_changelog=each.is_changelog
            )
            for each in self.stores
            if each.topic is not None
        ]
        return Adopted(application=self.name, stores=stores)

    def find_starts(self) -> dict[str, list[int]]:
        """The first offsets to read. A partition without records has none yet, and begins at 0."""
        return {each.topic: [offset or 0 for offset in each.committed] for each in self.inputs}


def look_at_application(
    cluster: KafkaCluster,
    name: str,
    layout: Layout,
    tasks: list[int],
    chosen: Mapping[str, str] | None = None,
    *,
    note_step: Callable[[int], None] = lambda number: None,
) -> Application:
    """Look at an application in the order of `runner.spark.adopting`, 1 to 6. `chosen` names topics of stores.

    `note_step` hears of each of these steps once it is done. Raises KafkaUnreachable, TopicMissing and NotAllowed.
    """
    look = _Look(cluster, name, layout, tasks, chosen or {})
    state = look.find_state()  # 1
    note_step(1)
    matches, problems = look.match_stores(), list(look.find_obstacles())
    changelogs = [look.topics[each.topic] for each in matches if each.topic is not None and each.is_changelog]
    problems += look.find_open(changelogs)  # 2
    note_step(2)
    ends = cluster.end_offsets(changelogs)  # 3
    note_step(3)
    inputs = look.read_inputs()  # 4
    note_step(4)
    waiting = look.count_waiting()  # 5
    note_step(5)
    again, ends_again = look.find_state(), cluster.end_offsets(changelogs)  # 6
    note_step(6)
    committed = {each.topic: [offset or 0 for offset in each.committed] for each in inputs}
    ends |= {each.topic: committed[each.topic] for each in matches if each.topic is not None and not each.is_changelog}
    is_moving = again not in (None, EMPTY, DEAD) or any(ends[topic] != end for topic, end in ends_again.items())
    return Application(
        name=name,
        state=again,
        guarantee=look.find_guarantee(),
        inputs=inputs,
        stores=matches,
        unmatched=sorted(look.changelogs - {each.topic for each in matches}),
        waiting=waiting,
        problems=[
            *look.find_problems_of_group(state, is_moving=is_moving),
            *problems,
            *look.find_problems_of_inputs(inputs),
            *look.find_problems_of_stores(matches),
            *(
                f"`{topic}` has {write_count(count, 'record')} that the application has not taken from "
                "there. Start it again, and stop it when its lag there is 0."
                for topic, count in waiting.items()
                if not is_moving
            ),
        ],
        notes=list(look.find_notes(matches)),
        ends=ends,
    )


class _Look:
    """One look at an application. It asks Kafka for the topics once."""

    def __init__(
        self, cluster: KafkaCluster, name: str, layout: Layout, tasks: list[int], chosen: Mapping[str, str]
    ) -> None:
        self.cluster = cluster
        self.name = name
        self.layout = layout
        self.tasks = tasks
        self.chosen = chosen
        self.committed_topics = cluster.find_committed_topics(name)
        others = tuple(f"{group}-" for group in self._list_states() if group.startswith(f"{name}-"))
        internal = [
            each
            for each in cluster.topic_names()
            if each.startswith(f"{name}-") and each.endswith(INTERNAL) and not each.startswith(others)
        ]
        self.changelogs = {each for each in internal if each.endswith(CHANGELOG)}
        self.repartitions = {each for each in internal if each.endswith(REPARTITION)}
        self.internal = set(internal)
        self.sources: dict[str, Source] = {
            target.topic: target
            for target in layout.targets
            if isinstance(target, Source) and target.sub_topology is not None
        }
        self.topics: dict[str, Topic] = cluster.find([*internal, *self.sources])
        self.stores = [layout.stores[n] for n in find_adoptable(layout) if not is_clone(layout.stores[n].node)]

    def find_state(self) -> str | None:
        return self._list_states().get(self.name)

    def _list_states(self) -> dict[str, str]:
        try:
            return list_group_states(self.cluster)
        except BrokerError as error:
            raise NotAdoptable(
                f"Kafka does not say whether `{self.name}` runs: {error}",
                "Give this cluster's user the right to describe groups.",
            ) from error

    def find_guarantee(self) -> str | None:
        """By the transactional ids of its threads (StreamsProducer), which Kafka keeps for a week."""
        try:
            names = find_transactional_ids(self.cluster)
        except (BrokerError, Refusal):
            return None
        return "exactly_once" if any(each.startswith(f"{self.name}-") for each in names) else None

    def match_stores(self) -> list[StoreMatch]:
        """The topic of each store: the chosen one, else the one with its name, else the only one of its kind."""
        matches: dict[str, str] = {}
        for find in (self._find_chosen, self._find_named, self._find_generated):
            for store in self.stores:
                if store.name not in matches and (topic := find(store, set(matches.values()))) is not None:
                    matches[store.name] = topic
        found = [self._make_match(store, matches.get(store.name)) for store in self.stores]
        topics = [self.topics[each.topic] for each in found if each.topic is not None]
        starts, ends = self.cluster.start_offsets(topics), self.cluster.end_offsets(topics)
        return [
            StoreMatch(
                each.store,
                each.node,
                each.topic,
                each.is_changelog,
                0 if each.topic is None else sum(ends[each.topic]) - sum(starts[each.topic]),
            )
            for each in found
        ]

    def _make_match(self, store: Store, topic: str | None) -> StoreMatch:
        return StoreMatch(store.name, store.node, topic, topic is None or topic in self.changelogs)

    def _find_chosen(self, store: Store, taken: set[str]) -> str | None:
        topic = self.chosen.get(store.name)
        full = next((each for each in (topic, f"{self.name}-{topic}{CHANGELOG}") if each in self.topics), None)
        if topic is not None and full is None:
            raise NotAdoptable(
                f"`{self.name}` has no topic `{topic}` for the store `{store.name}`.",
                f"Its changelog topics are {_list(self.changelogs)}.",
            )
        return full

    def _find_named(self, store: Store, taken: set[str]) -> str | None:
        names = {_plain(store.name), *({_plain(f"{store.node}-store"), _plain(store.node)} if store.part else ())}
        return next((each for each in sorted(self.changelogs - taken) if _plain(self._name_store(each)) in names), None)

    def _find_generated(self, store: Store, taken: set[str]) -> str | None:
        """A topic whose name Kafka Streams has made of the kind of the node or of the source topic.

        Only if one topic and one store fit. A table whose topic is its changelog has none of its own.
        """
        topic = self._find_topic_of_table(store)
        patterns = [re.escape(topic)] if topic is not None else self._list_steps(store)
        fits = [
            each
            for each in sorted(self.changelogs - taken)
            if any(re.fullmatch(f"{one}-STATE-STORE{GENERATED}", self._name_store(each)) for one in patterns)
        ]
        rivals = [each for each in self.stores if self._list_steps(each) == self._list_steps(store)]
        if topic is not None:
            return fits[0] if len(fits) == 1 else None if fits else topic
        return fits[0] if len(fits) == 1 and len(rivals) == 1 else None

    def _find_topic_of_table(self, store: Store) -> str | None:
        return next(
            (topic for topic, source in self.sources.items() if source.node == store.node and source.kind == "table"),
            None,
        )

    def _list_steps(self, store: Store) -> list[str]:
        steps = self.layout.nodes[store.node].operator.step_prefixes
        return [{"counted": "K(?:STREAM|TABLE)-AGGREGATE"}.get(each, each) for each in steps]

    def _name_store(self, changelog: str) -> str:
        return changelog[len(self.name) + 1 : -len(CHANGELOG)]

    def find_open(self, changelogs: list[Topic]) -> Iterator[str]:
        stable, all_ends = self.cluster.end_offsets(changelogs), self.cluster.read_high_watermarks(changelogs)
        for topic, ends in all_ends.items():
            if ends != stable[topic]:
                yield (
                    f"A transaction in `{topic}` is still open. Wait until Kafka has ended it, which takes at most a "
                    "minute by default."
                )

    def find_obstacles(self) -> Iterator[str]:
        return filter(None, (find_obstacle(self.layout, store) for store in self.stores))

    def read_inputs(self) -> list[InputFacts]:
        topics = [self.topics[name] for name in self.sources if name in self.topics]
        committed, ends = self.cluster.read_committed_of(self.name, topics), self.cluster.end_offsets(topics)
        starts = self.cluster.start_offsets(topics)
        facts = []
        for topic in topics:
            offsets = [each.offset if each is not None else None for each in committed[topic.name]]
            places = zip(offsets, starts[topic.name], ends[topic.name], strict=True)
            facts.append(
                InputFacts(topic.name, offsets, sum(end - (start if at is None else at) for at, start, end in places))
            )
        return facts

    def count_waiting(self) -> dict[str, int]:
        """Records of repartition topics behind their committed offsets. Markers of transactions do not count."""
        topics = [self.topics[name] for name in sorted(self.repartitions)]
        committed = self.cluster.read_committed_of(self.name, topics)
        starts, ends = self.cluster.start_offsets(topics), self.cluster.end_offsets(topics)
        waiting: dict[str, int] = {}
        for topic in topics:
            places: dict[int, tuple[int, int]] = {}
            for number, (at, start, end) in enumerate(
                zip(committed[topic.name], starts[topic.name], ends[topic.name], strict=True)
            ):
                if (first := max(start, at.offset if at is not None else 0)) < end:
                    places[number] = first, end
            count = sum(end - first for first, end in places.values())
            if 0 < count <= MAX_COUNTED:
                count = self._count_records(topic, places)
            if count:
                waiting[topic.name] = count
        return waiting

    def _count_records(self, topic: Topic, places: Mapping[int, tuple[int, int]]) -> int:
        """The records between two offsets of each partition."""
        reader, count = TopicReader(self.cluster, topic), 0
        deadline = time.monotonic() + READ_SECONDS
        try:
            reader.go({number: first for number, (first, _) in places.items()})
            while any(reader.at[number] < end for number, (_, end) in places.items()):
                if time.monotonic() > deadline:
                    raise KafkaUnreachable(f"The records of `{topic.name}` could not be read in time.", "Try again.")
                count += sum(each.offset < places[each.partition][1] for each in reader.read(1_000, 0.2))
        finally:
            reader.close()
        return count

    def find_problems_of_group(self, state: str | None, *, is_moving: bool) -> Iterator[str]:
        if not self.committed_topics:
            yield f"Kafka has no committed offsets of a group `{self.name}`. The name must be its `application.id`."
        elif is_moving or state not in (None, EMPTY, DEAD):
            yield (
                f"`{self.name}` is running. Stop all its instances. A member that does not leave counts until its "
                "session times out, after 45 seconds by default."
            )

    def find_problems_of_inputs(self, inputs: list[InputFacts]) -> Iterator[str]:
        for name in sorted(set(self.sources) - set(self.topics)):
            yield f"The topic `{name}`, which the drawing reads, does not exist."
        if not self.committed_topics:
            return
        for name in sorted(self.committed_topics - self.internal - set(self.sources)):
            yield f"The application also reads `{name}`, which no node of the drawing reads."
        starts = self.cluster.start_offsets([self.topics[each.topic] for each in inputs])
        ends = self.cluster.end_offsets([self.topics[each.topic] for each in inputs])
        for each in inputs:
            if each.topic not in self.committed_topics and any(ends[each.topic]):
                yield f"The application has committed no offsets of `{each.topic}`, which the drawing reads."
                continue
            for number, at in enumerate(each.committed):
                if at is None and ends[each.topic][number]:
                    yield (
                        f"The application has committed no offset of partition {number} of `{each.topic}`, which has "
                        "had records. Start it again, and stop it when it has read them."
                    )
                elif at is not None and at < starts[each.topic][number]:
                    yield (
                        f"Kafka has deleted records of partition {number} of `{each.topic}` that the application has "
                        f"not read: it would continue at {at}, and the first is {starts[each.topic][number]}."
                    )

    def find_problems_of_stores(self, matches: list[StoreMatch]) -> Iterator[str]:
        stores = {store.name: store for store in self.stores}
        rest = sorted(self.changelogs - {each.topic for each in matches})
        for each in matches:
            if each.topic is None:
                none = (
                    "All changelog topics belong to other stores."
                    if self.changelogs
                    else "There is no changelog topic."
                )
                others = f"Choose it among {_list(rest)}." if rest else none
                yield f"No changelog topic fits the store `{each.store}` of `{each.node}`. {others}"
                continue
            sub_topology = stores[each.store].sub_topology
            assert sub_topology is not None
            if (partitions := self.topics[each.topic].partitions) != self.tasks[sub_topology]:
                yield (
                    f"`{each.topic}` has {write_count(partitions, 'partition')}, but `{each.store}` would have "
                    f"{write_count(self.tasks[sub_topology], 'task')}. Set the number of tasks to {partitions}."
                )
        for topic in rest:
            yield (
                f"No store of the drawing takes `{topic}`. The application keeps state there that the job would not "
                "have: complete the drawing, or choose the store."
            )

    def find_notes(self, matches: list[StoreMatch]) -> Iterator[str]:
        for each in matches:
            if each.topic is not None and not each.is_changelog:
                yield (
                    f"`{each.store}` has no changelog topic, so its rows come from `{each.topic}` up to the committed "
                    "offsets, as in an application with optimised topology."
                )


def _plain(name: str) -> str:
    """A name as an import writes it, which knows no capital letters."""
    return re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")


def _list(topics: set[str] | list[str]) -> str:
    return ", ".join(f"`{each}`" for each in sorted(topics)) or "none"
