"""Changes of a topic by an administrator: its settings, its partitions, its records, and the topic itself."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from django.contrib.auth.models import AbstractUser

from designer.projects.audit import note
from designer.projects.models import Project
from designer.projects.roles import Role
from designer.refusals import Conflict
from runner.control.clusters.models import Cluster
from runner.control.clusters.quotas import refuse_above
from runner.kafka.administering import add_partitions, change_settings, delete_all_records, list_settings
from runner.watch.topics.uses import find_topic_uses, refuse_change

log = logging.getLogger(__name__)


def change_topic(
    *, cluster: Cluster, topic: str, changes: Mapping[str, str | None], partitions: int | None, by: AbstractUser
) -> None:
    """Set settings of a topic, and add partitions.

    Raises TopicMissing, OurTopic, RoleMissing, NotChanged, QuotaExceeded.
    """
    refuse_change(by, cluster, topic, Role.ADMINISTRATOR)
    connection = cluster.connect()
    before = {each.name: each.value for each in list_settings(connection, topic)}
    if partitions is not None:
        refuse_above("MAX_PARTITIONS", partitions)
        partition_count = connection.topic(topic).partitions
        add_partitions(connection, topic, partitions)
        note(f"topic {topic}", "partitions", partition_count, partitions)
    if changes:
        change_settings(connection, topic, changes)
        for name, value in changes.items():
            note(f"topic {topic}", name, before.get(name), value)
    log.info("%s changed topic %s of %s", by, topic, cluster)


def empty_topic(*, cluster: Cluster, topic: str, by: AbstractUser) -> None:
    """Delete all records of a topic. Raises TopicMissing, OurTopic, RoleMissing and NotChanged."""
    refuse_change(by, cluster, topic, Role.ADMINISTRATOR)
    connection = cluster.connect()
    facts = connection.topic(topic)
    record_count = sum(connection.end_offsets([facts])[topic]) - sum(connection.start_offsets([facts])[topic])
    delete_all_records(connection, topic)
    note(f"topic {topic}", "records", record_count, 0)
    log.info("%s emptied topic %s of %s", by, topic, cluster)


def delete_topic(*, cluster: Cluster, topic: str, by: AbstractUser) -> None:
    """Delete a topic that no job that should run reads or writes.

    Raises TopicMissing, OurTopic, RoleMissing and Conflict.
    """
    refuse_change(by, cluster, topic, Role.ADMINISTRATOR)
    connection = cluster.connect()
    connection.topic(topic)
    everywhere = Project.objects.values_list("id", flat=True)
    users = {use.name for use in find_topic_uses(cluster, everywhere, [topic]) if use.is_wanted}
    if users:
        names = ", ".join(f"`{name}`" for name in sorted(users)[:5])
        raise Conflict(f"`{topic}` is in use: {names} should run and needs it.", "Stop these jobs first.")
    connection.delete(topic)
    note(f"topic {topic}", "", topic, None)
    log.info("%s deleted topic %s of %s", by, topic, cluster)
