"""ACLs of Kafka: those that a user needs, as commands, and those that the cluster's own user lacks."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from runner.kafka.cluster import KafkaCluster
from runner.kafka.refusals import NotAllowed

Resource = Literal["topic", "group", "transactional-id"]


@dataclass(frozen=True)
class Acl:
    """Some operations on a resource, or with `is_prefix` on all names with that prefix. `why` says what needs them.

    Without the `optional` ones the user only sees less.
    """

    resource: Resource
    name: str
    operations: tuple[str, ...]
    why: str
    is_prefix: bool = False
    optional: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The ACL as messages name it.

        >>> Acl("topic", "orders", ("Read", "DescribeConfigs"), "a source").text
        'Read and DescribeConfigs on the topic `orders`'
        """
        return f"{' and '.join(self.operations)} on the {self.resource.replace('-', ' ')} `{self.name}`"

    def command(self, principal: str, servers: str) -> str:
        """Command with which a Kafka administrator grants it.

        >>> Acl("group", "late", ("Read",), "", is_prefix=True).command("User:job", "k:1")
        'kafka-acls --bootstrap-server k:1 --add --allow-principal User:job --operation Read --group late \
--resource-pattern-type prefixed'
        """
        text = ["kafka-acls", "--bootstrap-server", servers, "--add", "--allow-principal", principal]
        text += [word for each in (*self.operations, *self.optional) for word in ("--operation", each)]
        text += [f"--{self.resource}", self.name, *(["--resource-pattern-type", "prefixed"] if self.is_prefix else [])]
        return shlex.join(text)


def find_missing(cluster: KafkaCluster, needs: Iterable[Acl]) -> list[Acl]:
    """The part of each ACL that the cluster's user lacks. Nothing that others see changes on the cluster."""
    needs = list(needs)
    on_topics = cluster.ask_allowed_on_topics([acl.name for acl in needs if acl.resource == "topic"])
    missing_acls = []
    for acl in needs:
        if acl.resource == "topic":
            lacking = _find_lacking_on_topic(cluster, acl, on_topics[acl.name])
        elif acl.resource == "group":
            lacking = _without(acl, cluster.ask_allowed_on_group(acl.name))
        else:
            lacking = None if _may_fence(cluster, f"{acl.name}.acls") else acl
        if lacking is not None and (lacking.operations or lacking.optional):
            missing_acls.append(lacking)
    return missing_acls


def _find_lacking_on_topic(cluster: KafkaCluster, acl: Acl, operations: frozenset[str] | None) -> Acl | None:
    """If a topic does not exist, Kafka says only whether the user may create it."""
    if operations is None:
        is_refused = "Create" in acl.operations and not cluster.may_create(acl.name)
        return replace(acl, operations=("Create",), optional=()) if is_refused else None
    return _without(acl, operations) if operations else acl


def _without(acl: Acl, operations: frozenset[str]) -> Acl:
    """An ACL without the operations that are allowed. An existing topic needs no creation."""
    operations_left = tuple(each for each in acl.operations if each not in operations and each != "Create")
    return replace(
        acl, operations=operations_left, optional=tuple(each for each in acl.optional if each not in operations)
    )


def _may_fence(cluster: KafkaCluster, transactional_id: str) -> bool:
    """Kafka says who may write under an id only to someone who tries. No one else uses this id."""
    try:
        cluster.fence(transactional_id)
    except NotAllowed:
        return False
    return True
