"""The audit over HTTP: every write, filtered, and as CSV."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import Any

import orjson
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from ninja import Field, Query, Schema

from designer.limits import AnyJson
from designer.projects.models import AuditEntry
from designer.projects.roles import PRODUCT
from designer.projects.routing import Router
from webapp.accounts.audit_things import find_things

router = Router(tags=["audit"])
PAGE = 100
MAX_EXPORT_ENTRIES = 50_000
COLUMNS = ("at", "until", "by", "token", "address", "what", "about")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Characters with which a table program recognises a formula."""


class ChangeOut(Schema):
    """A field of something, before and after; null if it was not there."""

    of: str
    field: str
    before: AnyJson
    after: AnyJson


class ThingOut(Schema):
    """What a write was about. `address` is its place on the page, empty for a thing that was deleted."""

    name: str
    address: str


class EntryOut(Schema):
    """A write: by which user and token, from which address. `about` is its request or command.

    `thing` is null for a write that is about no single thing. A session of edits is one entry, from `at` to `until`.
    """

    id: int
    at: datetime
    until: datetime | None
    by: str
    token: str
    address: str
    what: str
    about: str
    thing: ThingOut | None
    changes: list[ChangeOut]


class Wanted(Schema):
    """Which entries; what is left out does not matter. Texts are parts of what is looked for."""

    by: str = ""
    what: str = Field("", description="Text to find in the action, the request, or what it changed.")
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = Field(None, description="Only entries older than the one with this id.")

    def entries(self) -> QuerySet[AuditEntry]:
        rows = AuditEntry.objects.all()
        if self.by:
            rows = rows.filter(by__icontains=self.by)
        if self.what:
            own = Q(what__icontains=self.what) | Q(about__icontains=self.what)
            rows = rows.alias(text=Cast("changes", TextField())).filter(own | Q(text__icontains=self.what))
        if self.since is not None:
            rows = rows.filter(Q(at__gte=self.since) | Q(until__gte=self.since))
        if self.until is not None:
            rows = rows.filter(at__lt=self.until)
        return rows.filter(id__lt=self.before) if self.before is not None else rows


@router.get(
    "/audit",
    needs=PRODUCT,
    response=list[EntryOut],
    summary="The newest writes: who, from where, and what they changed",
)
def list_entries(request: HttpRequest, query: Query[Wanted]) -> Any:
    entries = list(query.entries()[:PAGE])
    things = find_things(entries)
    for entry in entries:
        entry.thing = things.get(entry.pk)  # type: ignore[attr-defined]
    return entries


@router.get("/audit.csv", needs=PRODUCT, response={200: str}, summary="Writes as CSV")
def export_entries(request: HttpRequest, query: Query[Wanted]) -> HttpResponse:
    """A line for each write, the newest first, with its changes as JSON."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow([*COLUMNS, "changes"])
    for entry in query.entries()[:MAX_EXPORT_ENTRIES].iterator():
        until = entry.until.isoformat() if entry.until else ""
        cells = [entry.at.isoformat(), until, entry.by, entry.token, entry.address, entry.what, entry.about]
        lines.writerow([_escape(cell) for cell in (*cells, orjson.dumps(entry.changes).decode())])
    headers = {"Content-Disposition": 'attachment; filename="audit.csv"'}
    return HttpResponse(text.getvalue(), content_type="text/csv", headers=headers)


def _escape(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell
