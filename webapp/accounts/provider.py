"""Users of an OpenID Connect provider: its claims about a person become one of our users, with groups.

The provider and its own id for them (`iss` and `sub`) identify a user, because other claims may move to another person.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import transaction

from designer.refusals import Refusal
from webapp.accounts.models import User
from webapp.codes import WebCode

log = logging.getLogger(__name__)
Claims = Mapping[str, Any]
MAX_NAMES = 5
"""Number of groups to name to a person whose groups are all unknown."""


class CannotSignIn(Refusal):
    """The provider knows the visitor, but they still may not sign in here."""

    code = WebCode.PROVIDER_REFUSED
    status = 403


def name_provider() -> str:
    """The provider's name on the sign-in page. Empty without one."""
    return settings.OIDC_NAME if settings.OIDC_ISSUER else ""


@transaction.atomic
def ensure_user(claims: Claims) -> User:
    """The user of those claims, created at the first sign-in, with the groups in the claims. Raises CannotSignIn.

    Example: `ensure_user({"iss": "https://id.example.com", "sub": "7", "preferred_username": "ada"})`.
    """
    for name in ("sub", "preferred_username", "email"):
        _refuse_unreadable(claims, name)
    groups = read_groups(claims)
    identity = make_identity(claims["iss"], claims["sub"])
    known = User.objects.filter(identity__in=[identity, f"{claims['iss']} {claims['sub']}"])
    user = known.first() or _create_user(claims, identity)
    if not user.is_active:
        raise CannotSignIn(f"The user `{user}` may not sign in.", "Ask a product administrator to allow it again.")
    if groups is not None:
        _put_into(user, groups)
    return user


def make_identity(issuer: str, subject: str) -> str:
    """Who someone is, for good: the provider and its own id (`sub`) for them."""
    return f"{issuer.rstrip('/')} {subject}"


def _refuse_unreadable(claims: Claims, name: str) -> None:
    """Raises CannotSignIn for a claim that is no line of text. Without a subject, everybody would be the same user."""
    value = claims.get(name)
    if value is None and name != "sub":
        return
    is_number = isinstance(value, int) and not isinstance(value, bool) and name == "sub"
    if not is_number and not (isinstance(value, str) and value.isprintable() and (value or name != "sub")):
        raise CannotSignIn(
            f"{settings.OIDC_NAME} sent a claim `{name}` that is not a line of text.",
            "Ask its administrator to correct it.",
        )


def read_groups(claims: Claims) -> list[str] | None:
    """The provider's groups. None if OIDC_GROUPS_CLAIM asks for none. Raises CannotSignIn.

    Keycloak may write a group as a path: `/team`.
    """
    claim = settings.OIDC_GROUPS_CLAIM
    if not claim:
        return None
    claim_value = _read_claim(claims, claim)
    names = [claim_value] if isinstance(claim_value, str) else claim_value
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise CannotSignIn(
            f"{settings.OIDC_NAME} did not say which groups you are in.",
            f"Ask its administrator to add the claim `{claim}`, or ours to correct OIDC_GROUPS_CLAIM.",
        )
    return [name.removeprefix("/") for name in names if name.isprintable()]  # none of ours has another name


def _read_claim(claims: Claims, name: str) -> Any:
    """A claim by its name, or by a path into claims: `realm_access.roles`."""
    if name in claims:
        return claims[name]
    first, _, rest = name.partition(".")
    inner = claims.get(first)
    return _read_claim(inner, rest) if rest and isinstance(inner, Mapping) else None


def _create_user(claims: Claims, identity: str) -> User:
    """A new user, or the one who waits for this person at the provider.

    Names at a provider can often be chosen, and e-mail addresses be given without proof, so neither takes over a user
    who waits. That needs the subject that an administrator entered, or an address that the provider has verified.
    """
    provider, subject = settings.OIDC_NAME, str(claims["sub"])[:200]
    email = claims.get("email") if claims.get("email_verified") is True else None
    name = claims.get("preferred_username") or email
    if not name:
        raise CannotSignIn(
            f"{provider} sent neither your user name nor an e-mail address that it has verified.",
            "Ask its administrator to add the claim `preferred_username`, or `email` with `email_verified`.",
        )
    user = User.objects.filter(username__iexact=name).first() or User(username=name)
    if user.identity:
        raise CannotSignIn(
            f"The user `{user}` belongs to another account of {provider}.",
            "Ask a product administrator to give that user a password, and then to switch back to the provider.",
        )
    if user.password and user.has_usable_password():
        raise CannotSignIn(
            f"User `{user}` already exists and signs in with a password.",
            f"If that is you, ask a product administrator to change `{user}` to sign in with {provider}.",
        )
    is_verified = email is not None and str(email).casefold() == user.username.casefold()
    if user.pk is not None and not is_verified:
        raise CannotSignIn(
            f"A user `{user}` waits for {provider}, which does not prove that this is you.",
            f"Ask a product administrator to enter your subject for that user: {subject}",
        )
    user.identity = identity
    user.set_unusable_password()
    try:
        user.full_clean(exclude=["password"])
    except ValidationError as error:
        message = f"{provider} calls you `{str(name)[:80]}`, which cannot be a user name. {' '.join(error.messages)}"
        raise CannotSignIn(message, "Ask its administrator for another name.") from error
    user.save()
    log.info("%s signs %s in for the first time", provider, user)
    return user


def _put_into(user: User, names: Collection[str]) -> None:
    """Puts a user into those groups that exist here, at least one, and makes them a product administrator or not."""
    groups = list(Group.objects.filter(name__in=names))
    administrators = settings.OIDC_ADMINISTRATORS
    is_product_administrator = bool(administrators) and administrators in names
    if not groups and not is_product_administrator:
        name_list = ", ".join(f"`{name[:80]}`" for name in sorted(names)[:MAX_NAMES])
        message = f"None of your groups is known here: {name_list}." if names else "You are in no group."
        hint = (
            "Ask a product administrator to make a group of that name, and to give it a role."
            if names
            else (f"Ask the administrator of {settings.OIDC_NAME} to put you into one.")
        )
        raise CannotSignIn(message, hint)
    user.groups.set(groups)
    if administrators and user.is_superuser != is_product_administrator:
        user.is_superuser = is_product_administrator
        user.save()
