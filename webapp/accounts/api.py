"""Tokens over HTTP: a user's own, and signing in with one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Router, Schema, Status
from ninja.security import HttpBearer, django_auth

from designer.requests import user_of
from webapp.accounts import tokens
from webapp.accounts.models import ApiToken

router = Router(tags=["tokens"], auth=django_auth)  # a token makes no other one
ASKING = frozenset({"GET", "HEAD", "OPTIONS"})


class TokenAuth(HttpBearer):
    """Signs a request in by `Authorization: Bearer sw_…`."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken:
        """The token, whose user asks from now on; raises UnknownToken and ReadOnlyToken."""
        found = tokens.token_named(token)
        if found is None:
            raise tokens.UnknownToken
        if found.read_only and request.method not in ASKING:
            raise tokens.ReadOnlyToken
        request.user = found.user
        tokens.note_use(found)
        return found


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
