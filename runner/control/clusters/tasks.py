"""Periodic tasks of Celery."""

from __future__ import annotations

import logging

from celery import shared_task

from designer.refusals import Refusal
from runner.control.clusters.answering import ask_clusters
from runner.control.clusters.certificates import look_at_brokers
from runner.control.clusters.models import Cluster

log = logging.getLogger(__name__)


@shared_task(name="clusters.look_at_certificates", ignore_result=True, expires=300, acks_late=False, time_limit=300)
def look_at_certificates() -> None:
    """Reads the expiry of all brokers' certificates."""
    for cluster in Cluster.objects.order_by("name"):
        try:
            look_at_brokers(cluster)
        except Refusal as refusal:
            log.info("The certificates of cluster %s cannot be seen: %s", cluster, refusal.message)


@shared_task(name="clusters.ask", ignore_result=True, expires=15, acks_late=False, time_limit=60)
def ask_whether_clusters_answer() -> None:
    """Notes since when a cluster does not answer."""
    ask_clusters(Cluster.objects.order_by("name"))
