"""Who asks, over HTTP: what they may do, and the tokens of their programs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema, Status
from ninja.security import HttpBearer

from designer.models import Project
from designer.requests import user_of
from designer.rights.needs import CLUSTERS, Limit, Role, RoleName
from designer.rights.wall import administrators, is_product_administrator, limit_of, roles_of, why_not
from webapp.accounts import tokens
from webapp.accounts.models import ApiToken

router = Router(tags=["tokens"])


class TokenAuth(HttpBearer):
    """Lets in what the wall signed in by `Authorization: Bearer sw_…`; no page of another site sends that header."""

    def authenticate(self, request: HttpRequest, token: str) -> Limit | None:
        """What the token may do, which is always something."""
        return limit_of(user_of(request))


class ProjectOut(Schema):
    """A project with the user's own role there, and who gives more."""

    name: str
    role: RoleName
    administrators: list[str]


class RightsOut(Schema):
    """What the user may do. `clusters`: change clusters and hosts; `product`: manage users and projects, too."""

    user: str
    product: bool
    clusters: bool
    projects: list[ProjectOut]
    administrators: list[str] = Field(description="Product administrators to ask.")


@router.get("/rights", response=RightsOut, summary="What you may do")
def read_rights(request: HttpRequest) -> RightsOut:
    user = user_of(request)
    roles = roles_of(user)
    return RightsOut(
        user=user.get_username(),
        product=is_product_administrator(user),
        clusters=not why_not(user, CLUSTERS),
        projects=[
            ProjectOut(
                name=project.name,
                role=min(roles[project.id], Role.ADMINISTRATOR).word,
                administrators=administrators(project),
            )
            for project in Project.objects.filter(id__in=roles)
        ],
        administrators=administrators(None),
    )


class TokenIn(Schema):
    name: str = Field(max_length=100, description="Which program uses it.")
    days: int = Field(90, description="For how long it works.")
    read_only: bool = Field(False, description="Whether it may only ask, with GET.")


class TokenOut(Schema):
    """A token without its text. `begins` are its first characters."""

    id: int
    name: str
    begins: str
    read_only: bool
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None
    expired: bool

    @staticmethod
    def resolve_expired(token: ApiToken) -> bool:
        return token.expires_at <= timezone.now()


class NewTokenOut(Schema):
    token: TokenOut
    text: str = Field(description="What the program sends. It is shown only now.")


@router.get("/tokens", response=list[TokenOut], summary="Your tokens")
def list_tokens(request: HttpRequest) -> Any:
    return tokens.user_tokens(user_of(request))


@router.post("/tokens", response={201: NewTokenOut}, summary="A new token for a program")
def create_token(request: HttpRequest, wanted: TokenIn) -> Status[Any]:
    made, text = tokens.create(user=user_of(request), name=wanted.name, days=wanted.days, read_only=wanted.read_only)
    made.refresh_from_db()
    return Status(201, {"token": made, "text": text})


@router.delete("/tokens/{token_id}", response={204: None}, summary="Make a token useless at once")
def delete_token(request: HttpRequest, token_id: int) -> Status[None]:
    tokens.delete(user=user_of(request), token_id=token_id)
    return Status(204, None)
