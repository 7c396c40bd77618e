"""Tokens for programs: created once, shown once, found by their digest."""

from __future__ import annotations

import hashlib
import logging
import secrets
from datetime import timedelta

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from designer.names import check_name
from designer.projects.models import Project
from designer.projects.roles import Limit, Role
from designer.refusals import Conflict, NotFound, Refusal
from webapp.accounts.models import ApiToken, User
from webapp.codes import WebCode

log = logging.getLogger(__name__)
BEGINNING = "sw_"
READABLE_LENGTH = 8
"""Characters of a token that stay readable."""
MAX_DAYS = 366
MAX_TOKENS = 50
"""Limit for one user."""
USED_EVERY = timedelta(minutes=1)
"""Precision of the last use: a busy program must not write at each request."""


class UnknownToken(Refusal):
    """The token does not exist, or no longer does."""

    code = WebCode.TOKEN_UNKNOWN
    status = 401

    def __init__(self) -> None:
        super().__init__("This token is unknown, expired or deleted.", "Make a new one on the page Tokens.")


def create(
    *, user: AbstractUser, name: str, days: int, role: Role = Role.PRODUCT, project: Project | None = None
) -> tuple[ApiToken, str]:
    """A new token with its text, which is never shown again. Raises Refusal and Conflict.

    It has its user's rights at each use, limited to the role, in the project or in all.

    Example: `create(user=ann, name="ci", days=90)` gives the token `ci` and "sw_…".
    """
    name = check_name(name, "token", 100)
    if not 0 < days <= MAX_DAYS:
        raise Refusal(f"A token lives for 1 to {MAX_DAYS} days.", "Choose another number of days.")
    if find_tokens(user).count() >= MAX_TOKENS:
        raise Conflict(f"You have {MAX_TOKENS} tokens already.", "Delete one that no program uses.")
    text = BEGINNING + secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            token = ApiToken.objects.create(
                user_id=user.pk,
                name=name,
                begins=text[:READABLE_LENGTH],
                digest=hash_token(text),
                role=role,
                project=project,
                expires_at=timezone.now() + timedelta(days=days),
            )
    except IntegrityError as error:
        raise Conflict(f"You have a token `{name}` already.", "Choose another name, or delete that token.") from error
    log.info("%s made the token %s", user, name)
    return token, text


def find_tokens(user: AbstractUser) -> QuerySet[ApiToken]:
    """The tokens of a user, including expired ones."""
    return ApiToken.objects.filter(user_id=user.pk).select_related("project")


def delete(*, user: AbstractUser, token_id: int) -> None:
    """Revoke one of the user's tokens at once. Raises NotFound."""
    token = find_tokens(user).filter(id=token_id).first()
    if token is None:
        raise NotFound(f"You have no token {token_id}.", "List your tokens.")
    token.delete()
    log.info("%s deleted the token %s", user, token)


def find_token(text: str) -> ApiToken | None:
    """The valid token with that text, of a user who may still sign in. None for any other text."""
    tokens = ApiToken.objects.select_related("user").filter(digest=hash_token(text), expires_at__gt=Now())
    return tokens.filter(user__is_active=True).first()


def sign_in(text: str) -> User:
    """The user of a token, limited to the token's rights. Raises UnknownToken."""
    token = find_token(text)
    if token is None:
        raise UnknownToken
    now = timezone.now()
    if token.used_at is None or now - token.used_at > USED_EVERY:
        ApiToken.objects.filter(id=token.id).update(used_at=now)
    user: User = token.user
    user.limit = Limit(token.project_id, Role(token.role), token.name)
    return user


def hash_token(text: str) -> str:
    """The stored digest. A token is long and random, so no one can reverse a plain digest."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()
