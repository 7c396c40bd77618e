"""Whether letters' records would pass the draft now, tested by the process for trials."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from django.contrib.auth.models import AbstractUser

from designer.topology.graph import Graph
from runner.control.clusters.topic_schemas import fetch_schemas, to_json
from runner.control.jobs.models import Job
from runner.control.jobs.plans.graph_facts import (
    collect_graph_facts,
    find_sources,
    refuse_unpermitted,
    resolve_patterns,
)
from runner.kafka import KafkaCluster, Place
from runner.watch.dead_letters.contents import Content, Origin, find_reads, read_contents
from runner.watch.dead_letters.groups import Filter
from runner.watch.dead_letters.services import choose
from runner.watch.trials.questions import AskFailures, SentRecord
from runner.watch.trials.services import as_sent, ask, read_newest

MAX_TRIALS = 1_000


@dataclass(frozen=True)
class TriedDeadLetters:
    """The draft's results for letters' records: `failing` with node and reason. `untried_dead_letters` are missing."""

    of: int
    passing: int
    failing: list[tuple[Content, str, str]]
    untried_dead_letters: list[Content]


def try_dead_letters(
    *, job: Job, choice: Filter, letters: Collection[Place] | None, by: AbstractUser | None
) -> TriedDeadLetters:
    """The records that would pass the topology's draft now. Nothing is written.

    Tables are tried with the newest rows of their topics. Raises NotFound, and the refusals of `collect_graph_facts`
    and a trial.
    """
    overview, records = choose(job, choice, letters)
    assert overview.topic is not None
    draft, cluster = job.topology.draft, job.cluster.connect()
    refuse_unpermitted(draft.read_graph(), by)
    graph = _without_on_error(resolve_patterns(draft.read_graph(), cluster))
    facts = collect_graph_facts(graph, cluster, draft.read_schemas())
    read = read_contents(cluster, overview.topic, records[:MAX_TRIALS], find_reads(graph))
    ready = [each for each in read if each.message is not None]
    messages = (each.message for each in ready if each.message is not None)
    question = AskFailures(
        graph=graph.to_json(),
        schemas={node: schema.to_json() for node, schema in facts.schemas.items()},
        registry_schemas=to_json(fetch_schemas(job.cluster.find_registry(), graph, messages)),
        records=list(_list_records(graph, cluster, ready)),
    )
    failures = {Origin(**each["origin"]): (each["node"], each["message"]) for each in ask(question, by=by)["failed"]}
    failing = [(each, *failures[each.origin]) for each in ready if each.origin in failures]
    return TriedDeadLetters(
        len(records), len(ready) - len(failing), failing, [each for each in read if not each.message]
    )


def _without_on_error(graph: Graph) -> Graph:
    """The graph in which failing records are reported, even if a node skips them or ends the run."""
    nodes = (replace(each, config={**each.config, "on_error": None}) for each in graph.nodes)
    return Graph(tuple(nodes), graph.edges)


def _list_records(graph: Graph, cluster: KafkaCluster, ready: list[Content]) -> Iterator[SentRecord]:
    """The newest rows of tables, then the records of the dead letters at their places."""
    for source in find_sources(graph).values():
        if source.has_topic_of_rows:
            for topic in source.topic_names():
                yield from (as_sent(topic, row) for row in read_newest(topic, source, cluster))
    for each in ready:
        if each.message and each.origin:
            yield [*each.origin, *as_sent(each.origin.topic, each.message)[3:]]
