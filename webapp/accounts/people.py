"""Users and groups for product administrators, and the change of one's own password."""

from __future__ import annotations

import logging
from collections.abc import Collection

from django.conf import settings
from django.contrib.auth.models import AbstractUser, Group
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from designer.names import check_line, check_name
from designer.refusals import Conflict, NotFound, Refusal
from webapp.accounts.models import User
from webapp.accounts.provider import make_identity, name_provider
from webapp.codes import WebCode

log = logging.getLogger(__name__)


class BadPassword(Refusal):
    """A new password is too easy to guess, or the old one is wrong."""

    code = WebCode.PASSWORD_REFUSED
    status = 422


def get_user(user_id: int) -> User:
    """A user by id. Raises NotFound."""
    user = User.objects.filter(pk=user_id).first()
    if user is None:
        raise NotFound(f"There is no user {user_id}.", "List the users again.")
    return user


@transaction.atomic
def create_user(
    *,
    name: str,
    password: str | None,
    is_product_administrator: bool,
    groups: Collection[str],
    by: AbstractUser,
    subject: str = "",
) -> User:
    """A user who may sign in, without a role yet. Raises Refusal, BadPassword, Conflict and NotFound.

    Without a password the OpenID Connect provider signs them in: the person whom it knows by `subject` (`sub`), or
    without one by `name`, if that is an e-mail address that the provider has verified.
    """
    user = User(username=name.strip(), is_superuser=is_product_administrator)
    if password is None:
        _leave_to_provider(user, subject)
    else:
        _set_password(user, password)
    try:
        user.full_clean(exclude=["password"], validate_unique=False)
        with transaction.atomic():
            user.save()
    except ValidationError as error:
        raise Refusal(" ".join(error.messages), "Correct the name.") from error
    except IntegrityError as error:
        raise Conflict(f"User `{name}` already exists.", "Choose another name.") from error
    user.groups.set(_find_groups(groups))
    log.info("%s made the user %s", by, user)
    return user


@transaction.atomic
def change_user(
    *,
    user: User,
    by: AbstractUser,
    is_active: bool | None = None,
    is_product_administrator: bool | None = None,
    groups: Collection[str] | None = None,
    password: str | None = None,
    has_provider: bool = False,
    subject: str = "",
) -> User:
    """Change the given values. Raises Conflict if users would lock themselves out, BadPassword and NotFound.

    `has_provider` lets the OpenID Connect provider sign the user in, by `subject` as in `create_user`.
    """
    if user.pk == by.pk and (is_active is False or is_product_administrator is False):
        raise Conflict("You cannot remove your own rights.", "Ask another product administrator.")
    if has_provider and (user.has_usable_password() or subject):
        _leave_to_provider(user, subject)
    if password is not None:
        _set_password(user, password)
        user.identity = ""
    user.is_active = user.is_active if is_active is None else is_active
    user.is_superuser = user.is_superuser if is_product_administrator is None else is_product_administrator
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:
        raise Conflict("Another user has this subject.", "Enter the subject of this person.") from error
    if groups is not None:
        user.groups.set(_find_groups(groups))
    log.info("%s changed the user %s", by, user)
    return user


def change_password(*, user: User, old: str, new: str) -> None:
    """Change the user's own password. Every other session of the user ends. Raises BadPassword."""
    if not user.has_usable_password():
        raise BadPassword(f"{name_provider() or 'A provider'} signs you in, without a password.", "Change it there.")
    if not user.check_password(old):
        raise BadPassword("The old password is wrong.", "Write it again, or ask an administrator for a new one.")
    _set_password(user, new)
    user.save()


def create_group(*, name: str, by: AbstractUser) -> Group:
    """Raises Refusal and Conflict."""
    name = check_name(name, "group", 150)
    try:
        with transaction.atomic():
            group = Group.objects.create(name=name)
    except IntegrityError as error:
        raise Conflict(f"Group `{name}` already exists.", "Choose another name.") from error
    log.info("%s made the group %s", by, group)
    return group


def delete_group(*, name: str, by: AbstractUser) -> None:
    """Delete a group. Its members lose the roles that they have from it. Raises NotFound."""
    for group in _find_groups([name]):
        group.delete()
    log.info("%s deleted the group %s", by, name)


def _set_password(user: User, password: str) -> None:
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise BadPassword(" ".join(error.messages), "Choose another password.") from error
    user.set_password(password)


def _leave_to_provider(user: User, subject: str) -> None:
    """From now on the user is whom the provider knows by this subject. Ends the user's other sessions."""
    if not name_provider():
        raise BadPassword("No OpenID Connect provider signs users in here.", "Give a password, or set OIDC_ISSUER.")
    user.set_unusable_password()
    subject = check_line(subject, "A subject")
    user.identity = make_identity(settings.OIDC_ISSUER, subject) if subject else ""


def _find_groups(names: Collection[str]) -> list[Group]:
    groups = list(Group.objects.filter(name__in=names))
    if missing := set(names) - {group.name for group in groups}:
        raise NotFound(f"There is no group `{min(missing)[:80]}`.", "List the groups again.")
    return groups
