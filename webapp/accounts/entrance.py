"""Who came and went, for the audit."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest

from designer import audit


def note_sign_in(sender: Any, request: HttpRequest | None, user: AbstractUser, **_: Any) -> None:
    _enter(request, user, "sign in")


def note_sign_out(sender: Any, request: HttpRequest | None, user: AbstractUser | None, **_: Any) -> None:
    if user is not None:
        _enter(request, user, "sign out")


def _enter(request: HttpRequest | None, user: AbstractUser, what: str) -> None:
    if request is not None:
        audit.enter(
            by=user,
            address=request.META.get("REMOTE_ADDR", ""),
            what=what,
            about=request.path,
            changes=audit.get_changes(),
        )
