"""The periodic task that looks for new versions of schemas."""

from __future__ import annotations

import logging

from celery import shared_task

from designer.refusals import Refusal
from runner.control.clusters.models import Cluster
from runner.watch.topics.noticing import notice

log = logging.getLogger(__name__)


@shared_task(name="topics.notice_schemas", ignore_result=True, expires=30, acks_late=False, time_limit=600)
def notice_schemas() -> None:
    """Ask the registry of each cluster. One that does not answer is asked again at the next beat."""
    for cluster in Cluster.objects.exclude(registry_url=""):
        try:
            notice(cluster)
        except Refusal as refusal:
            log.warning("The schema registry of %s was not asked for new versions: %s", cluster.name, refusal.message)
