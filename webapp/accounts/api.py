"""The user over HTTP: rights, and tokens of programs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Schema, Status
from ninja.security import HttpBearer

from designer.projects.models import Project
from designer.projects.permissions import (
    explain_lack,
    explain_missing_roles,
    find_projects_seen,
    find_roles,
    get_limit,
    is_product_administrator,
)
from designer.projects.requests import get_user
from designer.projects.roles import ANY_ACCOUNT, IN_PERSON, Limit, Role, RoleName, get_role
from designer.projects.routing import Router
from designer.projects.schemas import RequestBody
from designer.refusals import NotFound
from runner.control.clusters.permissions import CLUSTERS
from webapp.accounts import tokens
from webapp.accounts.models import ApiToken
from webapp.accounts.provider import name_provider

router = Router(tags=["tokens"])


class TokenAuth(HttpBearer):
    """Accept the sign-in of `PermissionMiddleware` by `Authorization: Bearer sw_…`.

    No page of another site sends that header.
    """

    def authenticate(self, request: HttpRequest, token: str) -> Limit | None:
        """The limits of the token, which are never empty."""
        return get_limit(get_user(request))


class ProjectOut(Schema):
    """A project with the user's own role there, and what to say of each that the user lacks."""

    name: str
    role: RoleName
    why_not: dict[RoleName, str]


class RightsOut(Schema):
    """What the user may do. Clusters mean hosts, too. A product administrator manages users and projects."""

    user: str
    has_password: bool = Field(description="Whether the user signs in with a password, which they may change.")
    provider: str = Field(description="Name of the OpenID Connect provider; empty without one.")
    is_product_administrator: bool
    may_change_clusters: bool
    why_not_clusters: str = Field(description="Why the user may not change clusters. Empty if they may.")
    projects: list[ProjectOut]
    why_not: dict[RoleName, str] = Field(description="What to say of each role that the user has in no project.")


@router.get("/rights", needs=ANY_ACCOUNT, response=RightsOut, summary="What you may do")
def read_rights(request: HttpRequest) -> RightsOut:
    user = get_user(request)
    roles, why_not_clusters = find_roles(user), explain_lack(user, CLUSTERS)
    return RightsOut(
        user=user.get_username(),
        has_password=user.has_usable_password(),
        provider=name_provider(),
        is_product_administrator=is_product_administrator(user),
        may_change_clusters=not why_not_clusters,
        why_not_clusters=why_not_clusters,
        projects=[
            ProjectOut(
                name=project.name,
                role=min(roles[project.id], Role.ADMINISTRATOR).word,
                why_not=explain_missing_roles(project, roles[project.id]),
            )
            for project in Project.objects.filter(id__in=roles)
        ],
        why_not=explain_missing_roles(None, max(roles.values(), default=None)),
    )


class TokenIn(RequestBody):
    name: str = Field(max_length=100, description="Which program uses it.")
    days: int = Field(90, description="Lifetime in days.")
    role: RoleName = Field(
        "product administrator", description="Highest role that the token gives. It never exceeds yours."
    )
    project: str | None = Field(None, description="The project that it may see; all of yours if left out.")


class TokenOut(Schema):
    """A token without its text. `begins` are its first characters."""

    id: int
    name: str
    begins: str
    role: RoleName
    project: str | None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    is_expired: bool

    @staticmethod
    def resolve_role(token: ApiToken) -> RoleName:
        return Role(token.role).word

    @staticmethod
    def resolve_project(token: ApiToken) -> str | None:
        return token.project.name if token.project else None

    @staticmethod
    def resolve_is_expired(token: ApiToken) -> bool:
        return token.expires_at <= timezone.now()


class NewTokenOut(Schema):
    token: TokenOut
    text: str = Field(description="Secret that the program sends. It is shown only now.")


@router.get("/tokens", needs=IN_PERSON, response=list[TokenOut], summary="Your tokens")
def list_tokens(request: HttpRequest) -> Any:
    return tokens.find_tokens(get_user(request))


@router.post(
    "/tokens",
    needs=IN_PERSON,
    audit="create a token",
    response={201: NewTokenOut},
    summary="Create a token for a program",
)
def create_token(request: HttpRequest, body: TokenIn) -> Status[Any]:
    token, text = tokens.create(
        user=get_user(request),
        name=body.name,
        days=body.days,
        role=get_role(body.role),
        project=_find_seen_project(get_user(request), body.project),
    )
    token.refresh_from_db()
    return Status(201, {"token": token, "text": text})


@router.delete(
    "/tokens/{token_id}", needs=IN_PERSON, audit="revoke a token", response={204: None}, summary="Delete a token"
)
def delete_token(request: HttpRequest, token_id: int) -> Status[None]:
    tokens.delete(user=get_user(request), token_id=token_id)
    return Status(204, None)


def _find_seen_project(user: AbstractUser, name: str | None) -> Project | None:
    """A project that the user may see. None without a name. Raises NotFound."""
    if name is None:
        return None
    project = Project.objects.filter(name=name, id__in=find_projects_seen(user)).first()
    if project is None:
        raise NotFound(f"There is no project {name[:80]}.", "Name one that you see, or none.")
    return project
