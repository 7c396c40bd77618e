"""Signing in: the first user, and links for one sign-in."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import Permission
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.utils.encoding import force_bytes, force_str
from django.utils.http import urlencode, urlsafe_base64_decode, urlsafe_base64_encode

from webapp.accounts.models import User


class OneTimeTokens(PasswordResetTokenGenerator):
    """Signed tokens with the last login in their hash: the first use is a login, and ends them."""

    key_salt = "webapp.accounts.OneTimeTokens"


_tokens = OneTimeTokens()


def ensure_first_user() -> tuple[str, str | None]:
    """Creates the first user if there is none. Returns the name, and the password if it was created now."""
    first = User.objects.order_by("id").first()
    if first is not None:
        return first.get_username(), None
    username, password = "admin", secrets.token_urlsafe(12)
    User.objects.create_superuser(username=username, password=password)
    return username, password


def allow(*, user: User, permission: str, is_allowed: bool) -> None:
    """Give a user a permission, named like `designer.run_code`, or take it away."""
    app, codename = permission.split(".")
    user_permission = Permission.objects.get(content_type__app_label=app, codename=codename)
    if is_allowed:
        user.user_permissions.add(user_permission)
    else:
        user.user_permissions.remove(user_permission)


def make_one_time_url(username: str, base_url: str) -> str:
    """An address that signs `username` in once, within PASSWORD_RESET_TIMEOUT (three days)."""
    user = User.objects.get(username=username)
    query = urlencode({"user": urlsafe_base64_encode(force_bytes(user.pk)), "token": _tokens.make_token(user)})
    return f"{base_url.rstrip('/')}/enter?{query}"


def find_user_of_token(user: str, token: str) -> User | None:
    """The user of a one-time token. None if it was used, is too old or never existed."""
    try:
        account = User.objects.get(pk=force_str(urlsafe_base64_decode(user)), is_active=True)
    except (User.DoesNotExist, ValueError, OverflowError):
        return None
    return account if _tokens.check_token(account, token) else None
