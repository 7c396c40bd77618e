"""Subjects of a cluster's schema registry over HTTP."""

from __future__ import annotations

from collections import defaultdict
from typing import Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Schema

from designer.projects.permissions import find_projects_seen
from designer.projects.requests import get_user
from designer.projects.roles import VIEWER
from designer.projects.routing import Router
from runner.control.clusters.models import Cluster
from runner.control.clusters.services import get_cluster
from runner.control.codes import ControlCode
from runner.registry import RegistryNotAllowed
from runner.watch.topics.models import JudgedVersion
from runner.watch.topics.noticing import notice
from runner.watch.topics.schemas import JudgedVersionOut
from runner.watch.topics.subjects import SubjectUse, SubjectVersion, find_subject_uses, list_versions

router = Router(tags=["topics"])


class SubjectUseOut(Schema):
    """A node of a topology that reads or writes a topic with a subject. `job` runs it; null of a draft."""

    topology: int
    name: str
    node: str
    job: int | None
    does: Literal["reads", "writes"]
    topic: str

    @classmethod
    def of(cls, use: SubjectUse) -> SubjectUseOut:
        return cls(topology=use.topology, name=use.name, node=use.node, job=use.job, does=use.does, topic=use.topic)


class SubjectOut(Schema):
    """`breaks`: the guard found that records with the newest version fail in a drawing or job."""

    name: str
    uses: list[SubjectUseOut]
    breaks: bool


class SubjectsOut(Schema):
    """Without `is_complete`, the registry does not list its subjects: these are the ones that drawings name."""

    level: str
    is_complete: bool
    subjects: list[SubjectOut]


class ReferenceOut(Schema):
    name: str
    subject: str
    version: int


class SubjectVersionOut(Schema):
    """`changes` says in words what the version changes, `diff` are the changed lines of its text."""

    version: int
    id: int
    type: str
    text: str
    references: list[ReferenceOut]
    changes: list[str]
    diff: list[str]

    @classmethod
    def of(cls, found: SubjectVersion) -> SubjectVersionOut:
        references = [ReferenceOut(name=name, subject=of, version=at) for name, of, at in found.references]
        return cls(**{**found._asdict(), "references": references})


class SubjectDetailsOut(SubjectOut):
    """A subject with its newest versions, the newest first, and the compatibility level that counts for it.

    `judged` is what the guard said of the newest version that it noticed, for each topic that is read with it.
    """

    level: str
    versions: list[SubjectVersionOut]
    judged: list[JudgedVersionOut]


@router.get(
    "/clusters/{name}/subjects",
    needs=VIEWER.anywhere,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=SubjectsOut,
    summary="Every subject of a cluster's schema registry, and who reads and writes it",
)
def list_subjects(request: HttpRequest, name: str) -> SubjectsOut:
    """Drawings and jobs of projects that the user sees."""
    cluster = get_cluster(name)
    registry = cluster.connect_registry()
    uses: dict[str, list[SubjectUse]] = defaultdict(list)
    for use in find_subject_uses(cluster, find_projects_seen(get_user(request))):
        uses[use.subject].append(use)
    try:
        names, is_complete = registry.subjects(), True
    except RegistryNotAllowed:
        names, is_complete = sorted(uses), False
    breaking = {row.subject for row in _list_judged(cluster) if row.breaks}
    subjects = [
        SubjectOut(name=each, uses=[SubjectUseOut.of(use) for use in uses[each]], breaks=each in breaking)
        for each in names
    ]
    return SubjectsOut(level=registry.find_level(), is_complete=is_complete, subjects=subjects)


@router.get(
    "/clusters/{name}/subjects/{path:subject}",
    needs=VIEWER.anywhere,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=SubjectDetailsOut,
    summary="A subject of a cluster's schema registry with its versions",
)
def read_subject(request: HttpRequest, name: str, subject: str) -> SubjectDetailsOut:
    cluster = get_cluster(name)
    registry = cluster.connect_registry()
    versions = list_versions(registry, subject)
    seen = find_projects_seen(get_user(request))
    uses = find_subject_uses(cluster, seen)
    judged = [JudgedVersionOut.of(row, seen) for row in _list_judged(cluster) if row.subject == subject]
    return SubjectDetailsOut(
        name=subject,
        uses=[SubjectUseOut.of(use) for use in uses if use.subject == subject],
        level=registry.find_level(subject),
        versions=[SubjectVersionOut.of(each) for each in versions],
        breaks=any(each.breaks for each in judged),
        judged=judged,
    )


@router.post(
    "/clusters/{name}/registry/notice",
    needs=VIEWER.anywhere,
    refuses=[ControlCode.CLUSTER_SECRET_LOST],
    response=list[JudgedVersionOut],
    summary="Look for new versions of the subjects that drawings and jobs read, and judge them; registers nothing",
)
def notice_versions(request: HttpRequest, name: str) -> list[JudgedVersionOut]:
    """For webhooks and pipelines, which send a token. The body does not count."""
    seen = find_projects_seen(get_user(request))
    return [JudgedVersionOut.of(row, seen) for row in notice(get_cluster(name))]


def _list_judged(cluster: Cluster) -> QuerySet[JudgedVersion]:
    return JudgedVersion.objects.filter(cluster=cluster).order_by("topic")
