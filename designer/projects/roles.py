"""Roles in their order, and the possible needs of a request."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

from django.db.models import IntegerChoices


class Role(IntegerChoices):
    """What someone may do in a project; each includes those before it.

    `PRODUCT` is not given in a project: a product administrator (Django's `is_superuser`) has it in all of them.
    """

    VIEWER = 1
    EDITOR = 2
    OPERATOR = 3
    ADMINISTRATOR = 4
    PRODUCT = 5

    @property
    def word(self) -> RoleName:
        """Its name for users and in JSON."""
        return ROLE_NAMES[self - 1]


RoleName = Literal["viewer", "editor", "operator", "administrator", "product administrator"]
ROLE_NAMES: tuple[RoleName, ...] = get_args(RoleName)


def get_role(word: RoleName) -> Role:
    """
    >>> get_role("editor")
    Role.EDITOR
    """
    return Role(ROLE_NAMES.index(word) + 1)


class Limit(NamedTuple):
    """The limits of a token on its user's rights: one project, or all, and a maximum role."""

    project: int | None
    role: Role
    name: str


@dataclass(frozen=True)
class Need:
    """The needs of a request: a role in each project that it names, or without a role only a signed-in user.

    The path names a project by `topology_id`, `version_id`, `job_id` or `project`. `by` are further names in the query
    or in members of the body. A request without names means the project `default`.
    """

    role: Role | None
    by: tuple[str, ...] = ()
    is_anywhere: bool = False
    permission: str = ""
    is_personal: bool = False
    is_question: bool = False

    @property
    def writes(self) -> bool:
        """Whether a request other than GET changes something, so that the audit lists it."""
        changes = self.is_personal or (self.role is not None and self.role > Role.VIEWER)
        return changes and not self.is_question

    @property
    def asking(self) -> Need:
        """This need for a request that changes nothing."""
        return replace(self, is_question=True)

    @property
    def anywhere(self) -> Need:
        """This need where a role in any project is enough."""
        return replace(self, is_anywhere=True)

    @property
    def in_person(self) -> Need:
        """This need for users who signed in with a browser. A token is refused."""
        return replace(self, is_personal=True)

    def with_names(self, *names: str) -> Need:
        return replace(self, by=names)


ANY_ACCOUNT = Need(None)
IN_PERSON = Need(None, is_personal=True)
"""Signed in with a browser, not with a token."""
VIEWER, EDITOR, OPERATOR, ADMINISTRATOR = map(Need, (Role.VIEWER, Role.EDITOR, Role.OPERATOR, Role.ADMINISTRATOR))
PRODUCT = Need(Role.PRODUCT).anywhere
PUBLIC = None
"""No one needs to sign in."""
SERVER = None
"""A command is open to every user who may start processes on the server."""
