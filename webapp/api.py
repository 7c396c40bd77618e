"""The HTTP API: every router under /api/, for signed-in users, with refusals turned into JSON in one place."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError
from ninja.security import django_auth

from designer.api import router as designer_router
from designer.refusals import Refusal
from runner.clusters.api import router as clusters_router
from runner.gallery.api import router as gallery_router
from runner.jobs.api import router as jobs_router
from runner.live.api import router as live_router
from runner.programs.api import router as programs_router
from runner.queries.api import router as queries_router
from runner.samples.api import router as samples_router
from runner.trials.api import router as trials_router

api = NinjaAPI(title="Streamwright", version="1", auth=django_auth, docs_url=None, urls_namespace="api")
api.add_router("", designer_router)
api.add_router("", clusters_router)
api.add_router("", gallery_router)
api.add_router("", jobs_router)
api.add_router("", live_router)
api.add_router("", programs_router)
api.add_router("", queries_router)
api.add_router("", samples_router)
api.add_router("", trials_router)


@api.exception_handler(Refusal)
def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    return api.create_response(request, refusal.to_json(), status=refusal.status)


@api.exception_handler(ValidationError)
def malformed(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """A body or query that does not fit the schema, in the shape of every other refusal."""
    places = [{"at": ".".join(str(step) for step in one["loc"][1:]), "message": one["msg"]} for one in error.errors]
    first = places[0] if places else {"at": "the request", "message": "does not fit"}
    refusal = {
        "code": "request.malformed",
        "message": f"{first['at']}: {first['message']}.",
        "hint": "See /api/openapi.json for what is expected.",
        "places": places,
    }
    return api.create_response(request, refusal, status=422)
