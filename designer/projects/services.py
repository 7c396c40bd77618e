"""Every write of topologies, versions and drafts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import Max, ProtectedError
from django.utils.text import slugify

from designer.names import check_name
from designer.projects.cases import take_cases
from designer.projects.code_permission import refuse_code
from designer.projects.comments import follow_renames
from designer.projects.exchange import (
    EMPTY,
    Export,
    read_cases,
    read_export,
    read_stored_graph,
    write_case,
    write_export,
)
from designer.projects.models import Draft, Project, Revision, Topology, Version
from designer.projects.projects import get_default_project
from designer.refusals import Conflict, NotFound, Refusal
from designer.topology.differences import compare

KEPT_REVISIONS = 50
MAX_NAME_LENGTH = 100
MAX_MESSAGE_LENGTH = 500


@transaction.atomic
def create_topology(
    *,
    name: str,
    by: AbstractUser | None,
    graph: Mapping[str, Any] = EMPTY,
    schemas: Mapping[str, Any] | None = None,
    project: Project | None = None,
) -> Topology:
    """A new topology with `graph` as its draft, in the project `default` unless another is given."""
    content = read_stored_graph(graph, schemas or {})
    topology = _with_free_slug(_name(name), by, project or get_default_project())
    draft = Draft.objects.create(topology=topology, updated_by_id=_get_id(by), **content)
    Revision.objects.create(draft=draft, number=draft.revision, graph=draft.graph)
    return topology


@transaction.atomic
def rename_topology(*, topology: Topology, name: str) -> Topology:
    """Rename a topology. The slug follows unless it is fixed."""
    topology.is_slug_fixed = _is_slug_fixed(topology)
    topology.name = _name(name)
    if not topology.is_slug_fixed:
        topology.slug = next(_find_free_slugs(topology))
    topology.save(update_fields=["name", "slug"])
    return topology


def move_topology(*, topology: Topology, project: Project) -> Topology:
    """Move a topology with its jobs to another project. Only users with a role there can see it then."""
    topology.project = project
    topology.save(update_fields=["project"])
    return topology


@transaction.atomic
def set_slug(*, topology: Topology, slug: str = "") -> Topology:
    """Fix the slug, or the given one: it no longer follows the name.

    Raises Conflict if another slug is fixed already, or another topology has it.
    """
    new_slug = slug or topology.slug
    if new_slug != topology.slug and _is_slug_fixed(topology):
        raise Conflict(
            f"The id of `{topology}` is fixed as `{topology.slug}`.", "Keep this id, or deploy under another job name."
        )
    if Topology.objects.filter(slug=new_slug).exclude(id=topology.id).exists():
        raise Conflict(f"Another topology has the id `{new_slug}`.", "Choose another id.")
    topology.slug, topology.is_slug_fixed = new_slug, True
    topology.save(update_fields=["slug", "is_slug_fixed"])
    return topology


@transaction.atomic
def delete_topology(*, topology: Topology) -> None:
    """Delete a topology with all versions, unless something still names a version."""
    _lock(topology)  # a save that is under way adds a revision, which Django would not know of
    try:
        topology.delete()
    except ProtectedError as error:
        names = ", ".join(sorted({str(each) for each in error.protected_objects})[:5])
        raise Conflict(f"`{topology}` is still used by {names}.", "Stop and delete these first.") from error


@transaction.atomic
def save_draft(
    *,
    topology: Topology,
    graph: Mapping[str, Any],
    revision: int,
    by: AbstractUser | None,
    schemas: Mapping[str, Any] | None = None,
) -> Draft:
    """Save the changes on top of `revision`. Raises `Conflict` if the draft has changed since.

    The conflict has `base` (the common start, null if too old), `yours` and `theirs`.
    """
    draft = _lock(topology)
    content = read_stored_graph(graph, draft.schemas if schemas is None else schemas)
    if draft.revision != revision:
        raise _make_conflict(draft, revision, content["graph"])
    if (draft.graph, draft.schemas) == (content["graph"], content["schemas"]):
        return draft
    follow_renames(topology=topology, before=draft.graph, after=content["graph"])
    draft.graph, draft.schemas = content["graph"], content["schemas"]
    draft.revision += 1
    draft.updated_by_id = _get_id(by)
    draft.save()
    Revision.objects.create(draft=draft, number=draft.revision, graph=draft.graph)
    draft.revisions.filter(number__lte=draft.revision - KEPT_REVISIONS).delete()
    return draft


@transaction.atomic
def create_version(
    *, topology: Topology, by: AbstractUser | None, note: str = "", revision: int | None = None
) -> Version:
    """Save the draft as a version. An unchanged draft without a message gives the newest version.

    With `revision`, a later change of the draft is a `Conflict`. Code in it needs its permission.
    """
    draft = _lock(topology)
    refuse_code(draft.read_graph(), by)
    if revision is not None and draft.revision != revision:
        raise Conflict(
            f"{_name_author(draft)} saved revision {draft.revision} of this draft after you looked at {revision}.",
            "Look at the change, and then try again.",
            revision=draft.revision,
        )
    newest = topology.versions.first()
    if newest and not note and (newest.graph, newest.schemas) == (draft.graph, draft.schemas):
        return newest
    version = Version.objects.create(
        topology=topology,
        number=(topology.versions.aggregate(Max("number"))["number__max"] or 0) + 1,
        graph=draft.graph,
        schemas=draft.schemas,
        note=note,
        created_by_id=_get_id(by),
    )
    draft.based_on = version
    draft.save(update_fields=["based_on"])
    return version


@transaction.atomic
def import_topology(*, export: Any, by: AbstractUser | None, project: Project | None = None) -> Topology:
    """A new topology, with its test cases, from the result of `export_topology`."""
    name, graph, schemas = read_export(export)
    topology = create_topology(name=name, by=by, graph=graph, schemas=schemas, project=project)
    take_cases(topology=topology, cases=read_cases(export), by=by)
    return topology


def export_topology(*, topology: Topology, version: Version | None = None) -> Export:
    """The draft, or one version, with the test cases."""
    stored_graph = version or topology.draft
    export = write_export(topology.name, stored_graph.read_graph().to_json(), stored_graph.schemas)
    if cases := [write_case(case.name, case.records, case.expected) for case in topology.cases.all()]:
        export["cases"] = cases
    return export


def export_for_git(*, topology: Topology) -> Export:
    """The draft in the form of `export_topology`, with the newest version's message if it equals that version."""
    export, newest = export_topology(topology=topology), topology.versions.first()
    is_version = newest is not None and newest.graph == topology.draft.graph
    if newest is not None and is_version and newest.note:
        export["message"] = newest.note
    return export


@transaction.atomic
def take_export(*, topology: Topology, export: Any, by: AbstractUser | None) -> Draft:
    """Make an export the draft of a topology, with its test cases. The name stays."""
    _, graph, schemas = read_export(export)
    revision = _lock(topology).revision
    draft = save_draft(topology=topology, graph=graph, schemas=schemas, revision=revision, by=by)
    take_cases(topology=topology, cases=read_cases(export), by=by)
    return draft


@transaction.atomic
def take_over(*, topology: Topology, export: Any, by: AbstractUser | None, message: str = "") -> Version | None:
    """Replace the topology by an export, including its name. Returns the new version, or None if at most positions
    differ from the newest one.

    `message` is for a version whose export has none.
    """
    name, *_ = read_export(export)
    if name != topology.name:
        rename_topology(topology=topology, name=name)
    draft = take_export(topology=topology, export=export, by=by)
    newest = topology.versions.first()
    if newest is not None and newest.schemas == draft.schemas and not compare(newest.read_graph(), draft.read_graph()):
        return None
    return create_version(topology=topology, by=by, note=_check_message(export.get("message") or message))


def _check_message(text: Any) -> str:
    if not isinstance(text, str) or len(text) > MAX_MESSAGE_LENGTH or "\x00" in text:
        raise Refusal(f"A version's message has at most {MAX_MESSAGE_LENGTH} characters.", "Shorten it.")
    return text.strip()


def get_draft_or_version(topology: Topology, name: str) -> Version | Draft:
    """The draft, or the version of that number. Raises NotFound.

    Example: `get_draft_or_version(topology, "draft")`, `get_draft_or_version(topology, "3")`.
    """
    if name == "draft":
        return topology.draft
    version = topology.versions.filter(number=int(name)).first() if name.isdecimal() and len(name) < 10 else None
    if version is None:
        newest = topology.versions.first()
        numbers = f"1 to {newest.number}" if newest else "none yet"
        raise NotFound(f"`{topology}` has no version `{name[:80]}`.", f"Versions: {numbers}. Or name `draft`.")
    return version


def _lock(topology: Topology) -> Draft:
    """The draft, until the end of the transaction. Raises NotFound if the topology was deleted meanwhile."""
    draft = Draft.objects.select_for_update().filter(topology_id=topology.id).first()
    if draft is None:
        raise NotFound(f"`{topology}` was deleted.", "Create a new topology.")
    return draft


def _make_conflict(draft: Draft, revision: int, yours: Any) -> Conflict:
    base = draft.revisions.filter(number=revision).first()
    return Conflict(
        f"{_name_author(draft)} saved revision {draft.revision} of this draft; your changes started from {revision}.",
        "Compare both, and save again on top of the newer one.",
        revision=draft.revision,
        base=base.graph if base else None,
        yours=yours,
        theirs=draft.graph,
    )


def _name_author(draft: Draft) -> str:
    return draft.updated_by.get_username() if draft.updated_by else "Another user"


def _name(name: Any) -> str:
    return check_name(name, "topology", MAX_NAME_LENGTH)


def _with_free_slug(name: str, owner: AbstractUser | None, project: Project) -> Topology:
    topology = Topology(name=name, owner_id=_get_id(owner), project=project)
    for slug in _find_free_slugs(topology):
        try:
            with transaction.atomic():
                topology.slug = slug
                topology.save()
                return topology
        except IntegrityError:  # taken at the same moment
            continue
    raise AssertionError


def _is_slug_fixed(topology: Topology) -> bool:
    """The current topology, locked, so that a deploy and a rename wait for each other."""
    return Topology.objects.select_for_update().get(id=topology.id).is_slug_fixed


def _find_free_slugs(topology: Topology) -> Iterator[str]:
    """Slugs of its name that no other topology has: `orders`, `orders-2` …"""
    stem = slugify(topology.name)[:50].strip("-_") or "topology"
    for number in count(1):
        slug = stem if number == 1 else f"{stem}-{number}"
        if not Topology.objects.filter(slug=slug).exclude(id=topology.id).exists():
            yield slug


def _get_id(user: AbstractUser | None) -> int | None:
    return user.pk if user else None
