"""Who changed what: each write of a user, over HTTP or on the command line, leaves an entry that nobody can change.

`collect` surrounds a write: what is saved and deleted meanwhile is noted field by field, and never a secret. `enter`
keeps it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypedDict

from django.contrib.auth.models import AbstractUser
from django.db.models import Model
from django.db.models.expressions import BaseExpression
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save

from designer.models import AuditEntry
from designer.rights.wall import limit_of

APPS = frozenset({"accounts", "auth", "designer", "clusters", "hosts", "jobs", "samples", "alerts", "letters"})
LEFT_OUT = frozenset({"auditentry", "revision", "run", "jobevent"})
"""Models that say by themselves what became of something, or are no user's doing."""
UNTOLD = frozenset({"id", "created_at", "updated_at", "used_at", "last_login", "beat_at", "saved_at"})
SECRET = re.compile(r"secret|password|passphrase|credential|token|digest|webhook|jaas", re.IGNORECASE)
HIDDEN = "(hidden)"
MAX_TEXT = 500
MAX_CHANGES = 200


class Change(TypedDict):
    """A field of something, before and after; null where it was not there, or is not there any more."""

    of: str
    field: str
    before: Any
    after: Any


_noted: ContextVar[list[Change] | None] = ContextVar("audit", default=None)


@contextmanager
def collect() -> Iterator[list[Change]]:
    """What is saved and deleted inside, for an entry."""
    changes: list[Change] = []
    reset = _noted.set(changes)
    try:
        yield changes
    finally:
        _noted.reset(reset)


def changes_so_far() -> list[Change]:
    """What was noted so far where `collect` surrounds the caller."""
    return list(_noted.get() or ())


def enter(*, by: AbstractUser | None, address: str, what: str, about: str, changes: list[Change] | None = None) -> None:
    """Keeps an entry."""
    limit = limit_of(by) if by else None
    AuditEntry.objects.create(
        by=by.get_username() if by else "",
        token=limit.name if limit else "",
        address=address[:64],
        what=what[:200],
        about=about[:500],
        changes=(changes or [])[:MAX_CHANGES],
    )


def note(of: str, field: str, before: Any, after: Any) -> None:
    """Notes a change of something that is not in the database."""
    changes = _noted.get()
    if changes is not None:
        changes.append({"of": of[:200], "field": field, "before": _shorten(before), "after": _shorten(after)})


def differences(before: Any, after: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any, Any]]:
    """Each place in which two JSON values differ. Lists of things with an id are compared by it.

    >>> list(differences({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}))
    [('a.c', 2, 3)]
    """
    if before == after:
        return
    one, other = _by_name(before), _by_name(after)
    if path and SECRET.search(path[-1]):
        yield ".".join(path), before and HIDDEN, after and HIDDEN
    elif one is None or other is None:
        yield ".".join(path), _shorten(before), _shorten(after)
    else:
        for name in sorted(one.keys() | other.keys()):
            yield from differences(one.get(name), other.get(name), (*path, name))


def _by_name(value: Any) -> dict[str, Any] | None:
    """The members of a JSON object, or of a list of objects with ids; None for anything else."""
    if isinstance(value, Mapping):
        return {str(name): member for name, member in value.items()}
    if isinstance(value, list) and value and all(isinstance(each, dict) and "id" in each for each in value):
        return {str(each["id"]): each for each in value}
    return None


def _shorten(value: Any) -> Any:
    """A value with what looks secret in it hidden; of a long text the beginning, of much else only that it is there."""
    if isinstance(value, Mapping):
        hidden = {name: HIDDEN if SECRET.search(str(name)) else _shorten(member) for name, member in value.items()}
        return hidden if len(str(hidden)) <= MAX_TEXT else "…"
    if isinstance(value, list):
        shown = [_shorten(each) for each in value]
        return shown if len(str(shown)) <= MAX_TEXT else "…"
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"{value[:MAX_TEXT]}…"
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _is_watched(model: type[Model]) -> bool:
    return model._meta.app_label in APPS and model._meta.model_name not in LEFT_OUT


def _values(instance: Model) -> dict[str, Any]:
    """The fields of something as they are kept; what the database works out is left out."""
    fields = {field.attname: getattr(instance, field.attname) for field in instance._meta.concrete_fields}
    return {name: each for name, each in fields.items() if name not in UNTOLD and not isinstance(each, BaseExpression)}


def _note(instance: Model, field: str, before: Any, after: Any) -> None:
    changes = _noted.get()
    if changes is not None:
        kind, name = str(instance._meta.verbose_name), str(instance)
        of = name if name.startswith(kind) else f"{kind} {name}"
        changes.append({"of": of[:200], "field": field, "before": before, "after": after})


def _before_save(sender: type[Model], instance: Model, **_: Any) -> None:
    if _noted.get() is not None and _is_watched(sender):
        kept = None if instance._state.adding else sender._base_manager.filter(pk=instance.pk).first()
        instance._before = _values(kept) if kept else {}  # type: ignore[attr-defined]


def _after_save(sender: type[Model], instance: Model, update_fields: Any = None, **_: Any) -> None:
    if _noted.get() is None or not _is_watched(sender):
        return
    before: dict[str, Any] = instance.__dict__.pop("_before", {})
    fields = instance._meta.concrete_fields
    saved = {field.attname for field in fields if not update_fields or field.name in update_fields}
    after = {name: each for name, each in _values(instance).items() if name in saved}
    old = {name: before.get(name) for name in after}
    for field, was, now in differences(old, after):
        if was or now or (was is not None and now is not None):  # of a new thing, an empty field says nothing
            _note(instance, field, was, now)


def _after_delete(sender: type[Model], instance: Model, **_: Any) -> None:
    if _noted.get() is not None and _is_watched(sender):
        _note(instance, "", str(instance), None)


def _after_members(sender: Any, instance: Any, action: str, pk_set: Any, model: Any, **_: Any) -> None:
    if action in ("post_add", "post_remove") and _is_watched(type(instance)):
        names = ", ".join(sorted(str(each) for each in model.objects.filter(pk__in=pk_set)))
        added = action == "post_add"
        _note(instance, str(model._meta.verbose_name_plural), None if added else names, names if added else None)


def watch() -> None:
    """Notes from now on what is saved and deleted inside `collect`."""
    pre_save.connect(_before_save)
    post_save.connect(_after_save)
    post_delete.connect(_after_delete)
    m2m_changed.connect(_after_members)
