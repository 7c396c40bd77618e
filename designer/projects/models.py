"""Topologies in Postgres: a name, immutable versions, and one draft for editing."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from designer.projects.audit_messages import AuditWords
from designer.projects.roles import Role
from designer.topology.graph import MAX_NODE_ID_LENGTH, Graph
from designer.values.schemas import Schema


class StoredGraph(models.Model):
    """A graph as JSON, with the inferred schemas of its sources: node id -> Schema JSON."""

    graph = models.JSONField()
    schemas = models.JSONField(default=dict)

    class Meta:
        abstract = True

    def read_graph(self) -> Graph:
        return Graph.from_json(self.graph)

    def read_schemas(self) -> dict[str, Schema]:
        return {node_id: Schema.from_json(schema) for node_id, schema in self.schemas.items()}

    def does_as(self, other: StoredGraph) -> bool:
        """Whether both run alike: they differ at most in notes, frames, colours and places."""
        return self.schemas == other.schemas and self.read_graph().keep_meaning() == other.read_graph().keep_meaning()


class Project(models.Model):
    """A folder of topologies. Its grants say who may do what with them.

    `private_fields` names fields of records whose values become others when real records are kept as test cases.
    """

    name = models.SlugField(max_length=64, unique=True)
    private_fields: models.JSONField[Any, Any] = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Grant(models.Model):
    """The role that a user, or every member of a group, has in a project."""

    audit_words = AuditWords("role:")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="grants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, related_name="grants")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, null=True, related_name="grants")
    role = models.PositiveSmallIntegerField(choices=[(role.value, role.word) for role in Role if role < Role.PRODUCT])

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(user=None) ^ Q(group=None), name="grant_to_a_user_or_a_group"),
            models.UniqueConstraint(fields=["project", "user"], name="one_role_of_a_user"),
            models.UniqueConstraint(fields=["project", "group"], name="one_role_of_a_group"),
        ]

    def __str__(self) -> str:
        return f"{self.user or self.group} is {Role(self.role).word} of {self.project}"


class Topology(models.Model):
    """A graph with a name. Its slug follows the name until the first deploy fixes it.

    Jobs, files and commands have the slug in their names, so that results of a deploy survive renaming.
    """

    audit_words = AuditWords(fields={"slug": "id", "is_slug_fixed": "id is fixed"})
    name = models.CharField(max_length=100)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="topologies")
    slug = models.SlugField(max_length=60, unique=True)
    is_slug_fixed = models.BooleanField(default=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name", "id"]
        permissions = [("run_code", "Can run Python code in topologies")]
        verbose_name_plural = "topologies"

    def __str__(self) -> str:
        return self.name


class Version(StoredGraph):
    """A saved state of a topology. It never changes."""

    topology = models.ForeignKey(Topology, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    note = models.CharField(max_length=500, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["topology", "number"], name="one_version_of_a_number")]

    def __str__(self) -> str:
        return f"{self.topology} v{self.number}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError(f"{self} is saved already, and versions never change: create a new one.")
        super().save(*args, **kwargs)


class TestCase(models.Model):
    """Records and their expected output, a line of JSON each (`runner.watch.trials.lines`).

    It belongs to the topology, not to a version: the next version should pass it too.
    """

    topology = models.ForeignKey(Topology, on_delete=models.CASCADE, related_name="cases")
    name = models.CharField(max_length=100)
    records = models.TextField(blank=True)
    expected = models.TextField(blank=True)
    revision = models.PositiveIntegerField(default=1)
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["topology", "name"], name="one_case_of_a_name")]

    def __str__(self) -> str:
        return self.name


class Comment(models.Model):
    """A remark on a node. It belongs to the topology, not to a version, and is resolved rather than deleted."""

    topology = models.ForeignKey(Topology, on_delete=models.CASCADE, related_name="comments")
    node = models.CharField(max_length=MAX_NODE_ID_LENGTH)
    text = models.TextField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    resolved_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    resolved_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"comment on {self.node} of {self.topology}"


class Mention(models.Model):
    """A user whom a comment names. It is a notice to this user until `seen_at`."""

    comment = models.ForeignKey(Comment, on_delete=models.CASCADE, related_name="mentions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mentions")
    seen_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["comment", "user"], name="one_mention_of_a_user")]

    def __str__(self) -> str:
        return f"mention of {self.user} in a {self.comment}"


class Draft(StoredGraph):
    """The graph that users are editing. Every save counts `revision` up, so that no editor overwrites another
    unseen.
    """

    topology = models.OneToOneField(Topology, on_delete=models.CASCADE, related_name="draft")
    revision = models.PositiveIntegerField(default=1)
    based_on = models.ForeignKey(Version, on_delete=models.SET_NULL, null=True, related_name="+")
    updated_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft of {self.topology}"


class Revision(models.Model):
    """An earlier state of a draft: the common base of a conflict."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    graph = models.JSONField()
    saved_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["draft", "number"], name="one_revision_of_a_number")]

    def __str__(self) -> str:
        return f"{self.draft}, revision {self.number}"


class AuditEntry(models.Model):
    """A write: by which user and token, from which address. Written once: a database trigger refuses changes.

    `what` describes it in words, `about` is the request or the command, and `changes` the saved changes, each a
    `designer.projects.audit.Change`. Names are texts, so that an entry outlives the named things. The entry of a
    session of edits has `until`, and grows until the session is over.
    """

    at = models.DateTimeField(db_default=Now(), db_index=True)
    until = models.DateTimeField(null=True)
    by = models.CharField(max_length=150)
    token = models.CharField(max_length=100, blank=True)
    address = models.CharField(max_length=64)
    what = models.CharField(max_length=200)
    about = models.CharField(max_length=500)
    changes = models.JSONField(default=list)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.what} by {self.by}"
