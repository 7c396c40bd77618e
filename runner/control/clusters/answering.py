"""Whether clusters answer, and since when one does not: the server asks each of them every few seconds."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from django.utils import timezone

from designer.refusals import Refusal
from runner.control.clusters.models import Cluster
from runner.kafka import KafkaUnreachable

AT_ONCE = 8
"""Clusters that are asked at the same time. One that is away holds up its question for seconds."""


def ask_clusters(clusters: Iterable[Cluster]) -> None:
    """Ask clusters whether they answer, and remember when one stopped."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for cluster, refusal in pool.map(_ask, clusters):
            note_answer(cluster, refusal)


def note_answer(cluster: Cluster, refusal: Refusal | None) -> None:
    """Remember the answer of a cluster: None, or what it refused. One that refuses with a reason is not away."""
    rows = Cluster.objects.filter(pk=cluster.pk)
    if not isinstance(refusal, KafkaUnreachable):
        rows.exclude(silent_since=None).update(silent_since=None, silence={})
        return
    rows.filter(silent_since=None).update(silent_since=timezone.now())
    rows.update(silence={"why": refusal.message, "hint": refusal.hint})


def _ask(cluster: Cluster) -> tuple[Cluster, Refusal | None]:
    try:
        cluster.connect().check()
    except Refusal as refusal:
        return cluster, refusal
    return cluster, None
