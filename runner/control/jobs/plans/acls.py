"""The ACLs that a job's Kafka user needs, and the refusal of a deploy that names those it lacks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from designer.command_line import MANAGE
from designer.refusals import Refusal
from designer.topology.graph import Graph
from runner.control.codes import ControlCode
from runner.control.jobs.plans.graph_facts import find_sinks, find_sources
from runner.kafka import KafkaCluster
from runner.kafka.acls import Acl, find_missing
from runner.plan import JobSettings

READERS = "streamwright-"
"""Prefix of the groups in which Kafka's client reads without storing anything there."""
CONFIGS = ("DescribeConfigs",)
"""Shows whether topics survive a lost broker. A run asks for the largest record of each topic that it writes to."""
IDENTITIES = ("sasl.mechanism", "ssl.certificate.pem")
"""Settings that identify a connection."""


class AclMissing(Refusal):
    """The cluster's user lacks a right that the job needs."""

    code = ControlCode.KAFKA_ACL_MISSING
    status = 403

    def __init__(self, missing: Iterable[Acl], cluster: KafkaCluster) -> None:
        self.missing = tuple(missing)
        words = ", ".join(acl.text for acl in self.missing)
        super().__init__(
            f"The Kafka user of the cluster `{cluster.name}` lacks {words}.",
            f"Grant the ACLs that More, Kafka ACLs lists, or `{MANAGE} acls` prints. Then deploy again.",
            acls=[acl.text for acl in self.missing],
        )


@dataclass(frozen=True)
class AclNeeds:
    """The ACLs of a job, and what no list can say."""

    acls: tuple[Acl, ...]
    notes: tuple[str, ...]


def find_acls(graph: Graph, application_id: str, settings: JobSettings, marker_topic: str) -> AclNeeds:
    """The needs of a job with that name for a graph, with its marker in that topic."""
    reads = {topic: node for node, source in find_sources(graph).items() for topic in source.topic_names()}
    writes = {topic: (node, sink) for node, sink in find_sinks(graph).items() for topic in sink.topic_names()}
    acls = [Acl("topic", topic, ("Read",), f"Read by `{node}`", optional=CONFIGS) for topic, node in reads.items()]
    for topic, (node, sink) in writes.items():
        operations = ("Write", "Create", *CONFIGS) if sink.may_create else ("Write", *CONFIGS)
        acls.append(Acl("topic", topic, operations, f"Written by `{node}`"))
    letters = settings.dead_letters_of(application_id)
    acls += [
        Acl("topic", letters, ("Write", "Create", *CONFIGS), "Dead letters", optional=("Read",)),
        Acl("topic", marker_topic, ("Read", "Create"), "The last written batch"),
        Acl("group", application_id, ("Read",), "Offsets of the job", is_prefix=True, optional=("Delete",)),
        Acl("group", READERS, ("Describe",), "Reading without keeping offsets", is_prefix=True),
        Acl("transactional-id", application_id, ("Write",), "Transactions of the job", is_prefix=True),
    ]
    return AclNeeds(tuple(acls), tuple(_make_notes(graph)))


def _make_notes(graph: Graph) -> Iterable[str]:
    for node, source in find_sources(graph).items():
        if not source.topic_names():
            yield f"`{node}` reads by a pattern. Grant Read and DescribeConfigs on each topic that matches."
    for node, sink in find_sinks(graph).items():
        if not sink.topic_names():
            yield f"`{node}` computes its topics. Grant Write and DescribeConfigs on each of them."


def refuse_missing(needs: AclNeeds, cluster: KafkaCluster) -> None:
    """Raises AclMissing if the cluster's user lacks something. Skips connections without a user name."""
    if any(setting in cluster.settings for setting in IDENTITIES):
        missing = [acl for acl in find_missing(cluster, needs.acls) if acl.operations]
        if missing:
            raise AclMissing(missing, cluster)
