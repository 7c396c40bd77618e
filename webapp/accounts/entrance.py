"""Sign-ins and sign-outs for the audit."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest

from designer.projects import audit


def note_sign_in(sender: Any, request: HttpRequest | None, user: AbstractUser, **_: Any) -> None:
    _add_entry(request, user, "sign in")


def note_sign_out(sender: Any, request: HttpRequest | None, user: AbstractUser | None, **_: Any) -> None:
    if user is not None:
        _add_entry(request, user, "sign out")


def _add_entry(request: HttpRequest | None, user: AbstractUser, what: str) -> None:
    if request is not None:
        audit.add_entry(
            by=user,
            address=request.META.get("REMOTE_ADDR", ""),
            what=what,
            about=request.path,
            changes=audit.get_changes(),
        )
