"""The HTTP API: every router under /api/, for signed-in users, with refusals turned into JSON in one place."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.params.models import QueryModel
from ninja.parser import Parser
from ninja.security import django_auth
from psycopg.errors import ForeignKeyViolation

from designer.limits import TooMuch, refuse_unwritable
from designer.projects.api import router as designer_router
from designer.projects.roles import PUBLIC
from designer.projects.routing import ROUTES, Route, declare
from designer.refusals import Conflict, Refusal
from runner.control.clusters.api import router as clusters_router
from runner.control.hosts.api import router as hosts_router
from runner.control.jobs.api import router as jobs_router
from runner.demo.gallery.api import router as gallery_router
from runner.demo.samples.api import router as samples_router
from runner.export.api import router as programs_router
from runner.watch.alerts.api import router as alerts_router
from runner.watch.dead_letters.api import router as dead_letters_router
from runner.watch.history.api import router as history_router
from runner.watch.live.api import router as live_router
from runner.watch.messages import make_schemas as message_schemas
from runner.watch.past.api import router as past_router
from runner.watch.past.breakpoints_api import router as breakpoints_router
from runner.watch.presence.api import router as presence_router
from runner.watch.proving.api import router as proving_router
from runner.watch.queries.api import router as queries_router
from runner.watch.topics.api import router as topics_router
from runner.watch.topics.subjects_api import router as subjects_router
from runner.watch.trials.api import router as trials_router
from runner.watch.why.api import router as why_router
from webapp.accounts.api import TokenAuth
from webapp.accounts.api import router as tokens_router
from webapp.accounts.audit_api import router as audit_router
from webapp.accounts.people_api import router as people_router
from webapp.accounts.share_links_api import router as share_links_router
from webapp.codes import WebCode
from webapp.refusals import NotSignedIn, make_refusal

MAX_BODY_DEPTH = 64
"""Levels of a body. Its stored part has fewer."""
UNKNOWN_PARAMETER = "unknown_parameter"
WORDS_BY_ERROR = {
    "extra_forbidden": "the request has no member of this name",
    UNKNOWN_PARAMETER: "the request has no parameter of this name",
}
"""Our words for kinds of errors: Pydantic's, and our own."""
LIMIT_BY_ERROR = {
    "string_too_long": "has more than {max_length:,} characters",
    "greater_than": "must be more than {gt:,}",
    "greater_than_equal": "must be {ge:,} or more",
    "less_than": "must be less than {lt:,}",
    "less_than_equal": "must be {le:,} or less",
}
"""What is wrong with a value that has the right type, as people type it into a form."""
CHARACTERS_BY_PATTERN = {
    r"^\S*$": "must not contain spaces",
    r"^[a-z0-9][a-z0-9-]*$": "may contain lowercase letters, digits and hyphens, and begins with a letter or digit",
    r"^[a-zA-Z0-9_-]*$": "may contain letters, digits, `_` and `-`",
    r"^[a-zA-Z0-9._-]+$": "may contain letters, digits, `.`, `_` and `-`",
    r"^[a-z0-9][a-z0-9_-]{0,59}$": "may contain up to 60 lowercase letters, digits, `_` and `-`",
}
"""What is wrong with a text that does not match one of these patterns of names and addresses."""


class NotJson(Refusal):
    code = WebCode.REQUEST_NOT_JSON
    status = 400


class StrictParser(Parser):
    """Reads JSON as RFC 8259 defines it: without NaN, and without values that cannot be stored."""

    def parse_body(self, request: HttpRequest) -> Any:
        try:
            body = json.loads(request.body, parse_constant=_refuse_constant)
        except RecursionError:
            raise TooMuch("The JSON is nested too deep.", "Send an exported topology.") from None
        except ValueError as error:
            raise NotJson(f"The body is not valid JSON: {error}.", "Correct it.") from error
        refuse_unwritable(body, MAX_BODY_DEPTH)
        return body


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number in JSON")


def refuse_unknown_parameters(run: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """An operation that refuses unknown names in the query: their sender meant something by them."""
    operation: Operation = run.__self__  # type: ignore[attr-defined]  # Ninja decorates its method
    queries = [model for model in operation.models if issubclass(model, QueryModel)]
    names = {name for model in queries for name in model.__ninja_flatten_map__}

    @wraps(run)
    def run_known(request: HttpRequest, **arguments: Any) -> HttpResponse:
        if unknown := [name for name in request.GET if name not in names]:
            return answer_malformed(
                request, ValidationError([{"type": UNKNOWN_PARAMETER, "loc": ("query", name)} for name in unknown])
            )
        return run(request, **arguments)

    return run_known


class Api(NinjaAPI):
    """Every operation may be refused, in one shape. The schema also holds the messages of the websockets."""

    def get_openapi_schema(self, **arguments: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**arguments)
        schema["components"]["schemas"] |= message_schemas()  # RefusalOut is there, because trials answer with it
        content = {"application/json": {"schema": {"$ref": "#/components/schemas/RefusalOut"}}}
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                codes = ROUTES[f"{method.upper()} {path.removeprefix('/api')}"].refuses
                refused = (
                    f"Refused, for example with {', '.join(f'`{code}`' for code in codes)}" if codes else "Refused"
                )
                operation["responses"]["4XX"] = {"description": refused, "content": content}
                operation["responses"]["503"] = {"description": "Not possible right now", "content": content}
        return schema


api = Api(
    title="Streamwright",
    version="1",
    auth=[TokenAuth(), django_auth],
    docs_url=None,
    urls_namespace="api",
    parser=StrictParser(),
)
api.add_decorator(refuse_unknown_parameters, mode="view")
api.add_router("", designer_router)
api.add_router("", alerts_router)
api.add_router("", clusters_router)
api.add_router("", gallery_router)
api.add_router("", history_router)
api.add_router("", past_router)
api.add_router("", breakpoints_router)
api.add_router("", proving_router)
api.add_router("", hosts_router)
api.add_router("", jobs_router)
api.add_router("", dead_letters_router)
api.add_router("", live_router)
api.add_router("", presence_router)
api.add_router("", programs_router)
api.add_router("", queries_router)
api.add_router("", samples_router)
api.add_router("", audit_router)
api.add_router("", people_router)
api.add_router("", share_links_router)
api.add_router("", tokens_router)
api.add_router("", topics_router)
api.add_router("", subjects_router)
api.add_router("", trials_router)
api.add_router("", why_router)
for path in ("/", "/openapi.json"):  # django-ninja's own
    declare("GET", path, Route(PUBLIC))


@api.exception_handler(Refusal)
def answer_refusal(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    return api.create_response(request, refusal.to_json(), status=refusal.status)


@api.exception_handler(IntegrityError)
def answer_gone(request: HttpRequest, error: IntegrityError) -> HttpResponse:
    """Two requests at one moment: one deletes what the other writes below. Postgres lets one of them pass."""
    if not isinstance(error.__cause__, ForeignKeyViolation):
        raise error
    return answer_refusal(
        request,
        Conflict(
            "Another request deleted or wrote a part of this at the same moment.",
            "Load the page again. If it is still there, try again.",
        ),
    )


@api.exception_handler(AuthenticationError)
def answer_stranger(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    return answer_refusal(request, NotSignedIn())


@api.exception_handler(HttpError)
def answer_unreadable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """What the framework refuses; the parser's own refusal is behind its words."""
    cause = error.__cause__
    return answer_refusal(request, cause if isinstance(cause, Refusal) else make_refusal(request, error.status_code))


@api.exception_handler(ValidationError)
def answer_malformed(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """A body or query that does not fit the schema, in the shape of every other refusal."""
    places = [
        {
            "at": ".".join(str(step) for step in one["loc"][1:]),
            "message": describe_limit(one) or WORDS_BY_ERROR.get(one["type"]) or one["msg"],
        }
        for one in error.errors
    ]
    first = places[0] if places else {"at": "the request", "message": "does not fit"}
    message, hint = f"{first['at']}: {first['message']}.", "See /api/openapi.json for what is expected."
    if error.errors and describe_limit(error.errors[0]):
        message, hint = f"`{first['at'].removeprefix('body.')}` {first['message']}.", "Correct it, and try again."
    refusal = {"code": WebCode.REQUEST_MALFORMED, "message": message, "hint": hint, "places": places}
    return api.create_response(request, refusal, status=422)


def describe_limit(error: dict[str, Any]) -> str | None:
    """Return what is wrong with a value whose type is right, or None.

    >>> describe_limit({"type": "greater_than_equal", "ctx": {"ge": 512}})
    'must be 512 or more'
    """
    context = error.get("ctx", {})
    if error["type"] == "string_too_short":
        return "is empty" if context["min_length"] == 1 else f"has fewer than {context['min_length']:,} characters"
    if error["type"] == "string_pattern_mismatch":
        return CHARACTERS_BY_PATTERN.get(context["pattern"])
    words = LIMIT_BY_ERROR.get(error["type"])
    return words and words.format(**context)
