"""Refusals of the server itself, and Django's own error pages in the shape of every other refusal."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse

from designer.refusal_codes import DesignerCode
from designer.refusals import Refusal
from webapp.codes import WebCode

Answer = Callable[[HttpRequest], HttpResponse]

WORDS = {
    HTTPStatus.NOT_FOUND: (
        DesignerCode.NOT_FOUND,
        "The API has no address {path}.",
        "See /api/openapi.json for its addresses.",
    ),
    HTTPStatus.METHOD_NOT_ALLOWED: (
        WebCode.NOT_ALLOWED,
        "{path} does not accept {method}.",
        "Use a method from the Allow header.",
    ),
    HTTPStatus.FORBIDDEN: (
        WebCode.FORBIDDEN,
        "The request is not from a page of this server.",
        "Load the page again.",
    ),
    HTTPStatus.INTERNAL_SERVER_ERROR: (
        WebCode.FAILED,
        "The server failed.",
        "Try again; the log of `web` has the cause.",
    ),
}
OTHERWISE = (DesignerCode.REFUSED, "The request cannot be read.", "See /api/openapi.json for what is expected.")


class NotSignedIn(Refusal):
    code = WebCode.NOT_SIGNED_IN
    status = 401

    def __init__(self) -> None:
        super().__init__("You are not signed in.", "Sign in, then try again.")


def make_refusal(request: HttpRequest, status: int) -> Refusal:
    """The meaning of a bare HTTP status, in our words."""
    code, message, hint = WORDS.get(HTTPStatus(status), OTHERWISE)
    refusal = Refusal(message.format(path=request.path[:200], method=request.method), hint)
    refusal.code, refusal.status = code, status
    return refusal


def refuse_in_json(get_response: Answer) -> Answer:
    """Django middleware, before all others."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_ours = response.headers.get("Content-Type", "").startswith("application/json")
        if not request.path.startswith("/api/") or response.status_code < HTTPStatus.BAD_REQUEST or is_ours:
            return response
        refusal = make_refusal(request, response.status_code)
        headers = {"Allow": response.headers["Allow"]} if "Allow" in response.headers else {}
        return JsonResponse(refusal.to_json(), status=response.status_code, headers=headers)

    return answer
