"""The single page: every address outside of the API shows it, to signed-in users."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import ensure_csrf_cookie

NONCE_IN_PAGE = "%CSP_NONCE%"
"""The page's placeholder for the nonce that allows its expression editor's style sheet."""


@ensure_csrf_cookie
def show_page(request: HttpRequest) -> HttpResponse:
    index = settings.FRONTEND_DIST / "index.html"
    if not index.exists():
        return HttpResponse("The page is not built yet. Run `make run`, which builds it.", status=503)
    nonce = str(request.csp_nonce)  # type: ignore[attr-defined]  # set by django-csp, which has no types for it
    response = HttpResponse(index.read_text().replace(NONCE_IN_PAGE, nonce))
    response["Cache-Control"] = "no-cache"
    return response


@login_not_required
def show_shared_page(request: HttpRequest) -> HttpResponse:
    """The same page for a reader of a share link, whose secret is in the fragment of the address."""
    return show_page(request)


@login_not_required
def answer_health_check(request: HttpRequest) -> JsonResponse:
    """For load balancers and health checks: the web process answers."""
    return JsonResponse({"status": "ok"})
