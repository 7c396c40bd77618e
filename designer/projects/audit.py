"""Records who changed what: each write of a user, over HTTP or on the command line, leaves a permanent entry.

`collect` surrounds a write. It notes each field that is saved or deleted meanwhile, and never a secret. `add_entry`
stores it, and `delete_old_entries` deletes entries after the retention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Any, TypedDict

from django.contrib.auth.models import AbstractUser
from django.db import connection, transaction
from django.db.models import Model
from django.db.models.functions import Now
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save

from designer.projects.audit_messages import compare_graphs, describe, name_field, read_fields
from designer.projects.models import AuditEntry, Draft
from designer.projects.permissions import get_limit

APPS = frozenset({"accounts", "auth", "designer", "clusters", "hosts", "jobs", "samples", "alerts", "letters"})
LEFT_OUT = frozenset({"auditentry", "revision", "run", "jobevent"})
"""Models that are records themselves, or that users do not change."""
SECRET = re.compile(r"secret|password|passphrase|credential|token|digest|webhook|jaas", re.IGNORECASE)
HIDDEN_TEXT = "(hidden)"
MAX_TEXT = 500
MAX_CHANGES = 200
PAUSE = timedelta(minutes=5)
"""A longer pause ends a session. The trigger that protects entries knows it too."""
LONGEST = timedelta(hours=1)
SUM_FIELD = "records sent"


class Change(TypedDict):
    """A field of something, before and after; null if it was not there, or is no longer there."""

    of: str
    field: str
    before: Any
    after: Any


class Changes(list[Change]):
    """Changes in their order. The `lasting` ones are not in the database: no refusal reverts them."""

    def __init__(self) -> None:
        super().__init__()
        self.lasting: list[Change] = []


_collection: ContextVar[Changes | None] = ContextVar("audit", default=None)


@contextmanager
def collect() -> Iterator[Changes]:
    """Collects everything saved and deleted inside, for an entry."""
    changes = Changes()
    reset = _collection.set(changes)
    try:
        yield changes
    finally:
        _collection.reset(reset)


def get_changes() -> list[Change]:
    """The changes noted so far if `collect` surrounds the caller."""
    return list(_collection.get() or ())


def add_entry(
    *,
    by: AbstractUser | None,
    address: str,
    what: str,
    about: str,
    changes: list[Change] | None = None,
    is_session: bool = False,
) -> None:
    """Stores an entry. One of a session joins the newest of its user, unless another action came between."""
    limit, changes = get_limit(by) if by else None, changes or []
    entry = {
        "by": by.get_username() if by else "",
        "token": limit.name if limit else "",
        "address": address[:64],
        "what": what[:200],
        "about": about[:500],
    }
    if not is_session:
        AuditEntry.objects.create(**entry, changes=changes[:MAX_CHANGES])
    elif changes and not _extend(entry, changes):
        AuditEntry.objects.create(**entry, changes=changes[:MAX_CHANGES], until=Now())


@transaction.atomic
def _extend(reasons: Mapping[str, str], changes: list[Change]) -> bool:
    newest = AuditEntry.objects.filter(by=reasons["by"], token=reasons["token"]).values("id")[:1]
    lately = AuditEntry.objects.filter(until__gt=Now() - PAUSE, at__gt=Now() - LONGEST)
    entry = lately.select_for_update().filter(id=newest, **reasons).first()
    if entry is None:
        return False
    entry.changes, entry.until = merge(entry.changes, changes)[:MAX_CHANGES], Now()
    entry.save(update_fields=["changes", "until"])
    return True


def merge(earlier: list[Change], later: list[Change]) -> list[Change]:
    """Merges successive changes into one, from the first value to the last.

    >>> first, second = ({"of": "node late", "field": "n", "before": n, "after": n + 1} for n in (1, 2))
    >>> merge([first], [second])
    [{'of': 'node late', 'field': 'n', 'before': 1, 'after': 3}]
    """
    changes = {(change["of"], change["field"]): change for change in earlier}
    for change in later:
        key = change["of"], change["field"]
        first = changes.get(key, change)
        after = change["after"]
        if first is not change and change["field"] == SUM_FIELD:
            after += first["after"]
        changes[key] = {"of": change["of"], "field": change["field"], "before": first["before"], "after": after}
    return [change for change in changes.values() if change["before"] != change["after"]]


def delete_old_entries(days: int) -> int:
    """Forget older entries. Returns their number."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('streamwright.audit_days', %s, true)", [str(days)])
        return AuditEntry.objects.filter(at__lt=Now() - timedelta(days=days)).delete()[0]


def note(of: str, field: str, before: Any, after: Any) -> None:
    """Notes a change of something that is not in the database."""
    changes = _collection.get()
    if changes is not None:
        change: Change = {"of": of[:200], "field": field, "before": _shorten(before), "after": _shorten(after)}
        changes.append(change)
        changes.lasting.append(change)


def find_differences(before: Any, after: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any, Any]]:
    """Each place at which two JSON values differ. Lists of things with an id are compared by it.

    >>> list(differences({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}))
    [('a.c', 2, 3)]
    """
    if before == after:
        return
    one, other = _find_members(before), _find_members(after)
    if path and SECRET.search(path[-1]):
        yield ".".join(path), before and HIDDEN_TEXT, after and HIDDEN_TEXT
    elif one is None or other is None:
        yield ".".join(path), _shorten(before), _shorten(after)
    else:
        for name in sorted(one.keys() | other.keys()):
            yield from find_differences(one.get(name), other.get(name), (*path, name))


def _find_members(value: Any) -> dict[str, Any] | None:
    """The members of a JSON object, or of a list of objects with ids; None for anything else."""
    if isinstance(value, Mapping):
        return {str(name): member for name, member in value.items()}
    if isinstance(value, list) and value and all(isinstance(each, dict) and "id" in each for each in value):
        return {str(each["id"]): each for each in value}
    return None


def _shorten(value: Any) -> Any:
    """A value without its likely secrets. Of a long text only the beginning, and of other large values only a mark."""
    if isinstance(value, Mapping):
        members = {
            name: HIDDEN_TEXT if SECRET.search(str(name)) else _shorten(member) for name, member in value.items()
        }
        return members if len(str(members)) <= MAX_TEXT else "…"
    if isinstance(value, list):
        items = [_shorten(each) for each in value]
        return items if len(str(items)) <= MAX_TEXT else "…"
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"{value[:MAX_TEXT]}…"
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _is_watched(model: type[Model]) -> bool:
    return model._meta.app_label in APPS and model._meta.model_name not in LEFT_OUT


def _note(instance: Model, field: str, before: Any, after: Any, part: str = "") -> None:
    changes = _collection.get()
    if changes is not None:
        of = f"{part} of {instance}" if part else describe(instance)
        changes.append({"of": of[:200], "field": field, "before": before, "after": after})


def _note_before_save(sender: type[Model], instance: Model, **_: Any) -> None:
    if _collection.get() is not None and _is_watched(sender):
        before = None if instance._state.adding else sender._base_manager.filter(pk=instance.pk).first()
        instance._before = before  # type: ignore[attr-defined]


def _note_after_save(sender: type[Model], instance: Model, update_fields: Any = None, **_: Any) -> None:
    if _collection.get() is None or not _is_watched(sender):
        return
    before: Model | None = instance.__dict__.pop("_before", None)
    after = {name: each for name, each in read_fields(instance).items() if not update_fields or name in update_fields}
    was = read_fields(before) if before else {}
    for field, old, new in find_differences({name: was.get(name) for name in after}, after):
        if old or new or (old is not None and new is not None):  # for a new thing, an empty field says nothing
            name, *rest = field.split(".", 1)
            _note(instance, ".".join([name_field(instance, name), *rest]), old, new)
    if isinstance(before, Draft) and isinstance(instance, Draft):
        _note_graph(before, instance)


def _note_graph(before: Draft, after: Draft) -> None:
    for part, field, old, new in compare_graphs(before.graph, after.graph):
        for path, was, now in find_differences(old, new, (field,)):
            _note(after.topology, path, was, now, part)


def _note_after_delete(sender: type[Model], instance: Model, **_: Any) -> None:
    if _collection.get() is not None and _is_watched(sender):
        _note(instance, "", str(instance), None)


def _note_after_members(sender: Any, instance: Any, action: str, pk_set: Any, model: Any, **_: Any) -> None:
    if action in ("post_add", "post_remove") and _is_watched(type(instance)):
        names = ", ".join(sorted(str(each) for each in model.objects.filter(pk__in=pk_set)))
        is_addition = action == "post_add"
        _note(
            instance,
            str(model._meta.verbose_name_plural),
            None if is_addition else names,
            names if is_addition else None,
        )


def watch() -> None:
    """Notes from now on everything saved and deleted inside `collect`."""
    pre_save.connect(_note_before_save)
    post_save.connect(_note_after_save)
    post_delete.connect(_note_after_delete)
    m2m_changed.connect(_note_after_members)
