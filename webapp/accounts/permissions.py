"""Middleware in front of the API: finds the user and checks what they may do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.http import HttpRequest, HttpResponse, JsonResponse

from designer.projects import audit
from designer.projects.permissions import refuse
from designer.projects.roles import Need
from designer.projects.routing import ROUTES, Route
from designer.refusals import Refusal
from webapp.accounts import tokens
from webapp.codes import WebCode
from webapp.refusals import NotSignedIn, make_refusal

API = "api/"
BEARER = "bearer "


class Undeclared(Refusal):
    """A route is on no router of ours, so nothing says who may call it, and no one may."""

    code = WebCode.RIGHTS_UNKNOWN
    status = 403

    def __init__(self, row: str) -> None:
        super().__init__(f"No user may call `{row}`.", "Declare it on a router of `designer.projects.routing`.")


class PermissionMiddleware:
    """Django middleware: signs a token in, and refuses forbidden requests before the view is called."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with audit.collect() as changes:
            answer = self.get_response(request)
        route: Route | None = getattr(request, "audited", None)
        is_refused = answer.status_code >= HTTPStatus.BAD_REQUEST
        if route is not None and (not is_refused or changes.lasting):
            by = request.user if isinstance(request.user, AbstractUser) else None
            address = request.META.get("REMOTE_ADDR", "")
            audit.add_entry(
                by=by,
                address=address,
                what=route.audit,
                about=f"{request.method} {request.path}",
                changes=changes.lasting if is_refused else changes,
                is_session=route.is_session,
            )
        return answer

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        route = request.resolver_match.route if request.resolver_match else ""
        if not route.startswith(API):
            return None
        address = "/" + to_template(route.removeprefix(API))
        methods = {row.split()[0] for row in ROUTES if row.split()[1] == address}
        try:
            _refuse(request, address, methods, kwargs)
        except Refusal as refusal:
            headers = {"Allow": ", ".join(sorted(methods))} if refusal.status == HTTPStatus.METHOD_NOT_ALLOWED else {}
            return JsonResponse(refusal.to_json(), status=refusal.status, headers=headers)
        return None


def to_template(route: str) -> str:
    """A route of Django's in the form of `ROUTES`.

    >>> to_template("topologies/<int:topology_id>/draft")
    'topologies/{topology_id}/draft'
    """
    return re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)


def read_bearer(request: HttpRequest) -> str | None:
    """The token in the request's header, or None."""
    authorization = request.headers.get("Authorization", "")
    return authorization[len(BEARER) :].strip() if authorization.lower().startswith(BEARER) else None


def _refuse(request: HttpRequest, address: str, methods: set[str], kwargs: dict[str, Any]) -> None:
    method = "GET" if request.method == "HEAD" else request.method
    if method not in methods:
        raise make_refusal(request, HTTPStatus.METHOD_NOT_ALLOWED) if methods else Undeclared(f"{method} {address}")
    route = ROUTES[f"{method} {address}"]
    if (need := route.needs) is None:
        return
    if (token := read_bearer(request)) is not None:
        request.user = tokens.sign_in(token)
    if not request.user.is_authenticated:
        raise NotSignedIn
    refuse(request.user, need, [*kwargs.items(), *_list_names(request, need)])
    if route.audit:
        request.audited = route  # type: ignore[attr-defined]


def _list_names(request: HttpRequest, need: Need) -> Iterator[tuple[str, Any]]:
    """The names in the query and the body. A body that is not an object has none, and its view refuses it."""
    if not need.by:
        return
    try:
        body = json.loads(request.body or b"null")
    except (ValueError, RecursionError):
        body = None
    for name in need.by:
        yield from ((name, value) for value in request.GET.getlist(name))
        if isinstance(body, dict):
            yield name, body.get(name)
