"""The way to the OpenID Connect provider and back. allauth speaks the protocol, and `provider` finds the user."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable
from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base.constants import AuthError, AuthProcess
from allauth.socialaccount.providers.openid_connect.views import callback
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_GET
from redis.exceptions import RedisError
from requests import HTTPError, RequestException, Response, Session
from requests.adapters import HTTPAdapter
from requests.exceptions import ConnectionError as NotConnected
from requests.utils import select_proxy

from designer.names import show_hidden
from designer.projects import audit
from designer.refusals import Refusal
from runner.outgoing import AddressRefused, NoAnswer, call
from webapp.accounts.provider import CannotSignIn, ensure_user
from webapp.accounts.throttle import CannotCount, count_way_to_provider
from webapp.accounts.views import ask, find_first_page, read_wanted_path
from webapp.codes import WebCode

log = logging.getLogger(__name__)
ID = "provider"
"""allauth's name for our one provider."""
SESSION_SECONDS = 12 * 3600
"""Asks the provider again each working day, so that a person who left it does not stay here."""
PROVIDER_SECONDS = 10.0
BEGIN_AGAIN = "Begin the sign-in again."


class Unreachable(Refusal):
    """The provider does not answer, or not like an OpenID Connect provider."""

    code = WebCode.PROVIDER_UNREACHABLE
    status = 502


def _refuse(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    log.warning("a sign-in with the provider was refused: %s", refusal.message)
    return ask(request, f"{refusal.message} {refusal.hint}", status=refusal.status)


def _answer_with_reasons(view: Callable[[HttpRequest], HttpResponse], request: HttpRequest) -> HttpResponse:
    """The answer of a view that asks the provider. If the provider fails, the reason on the sign-in page."""
    if not settings.OIDC_ISSUER:
        raise Http404
    try:
        return view(request)
    except Refusal as refusal:
        return _refuse(request, refusal)
    except RequestException as error:
        return _refuse(request, _make_unreachable(error))
    except RedisError:
        return _refuse(request, CannotCount())
    except (KeyError, ValueError, TypeError, AttributeError):  # allauth raises these for an incomplete answer
        log.exception("the provider's answer cannot be read")
        message = f"{settings.OIDC_NAME} does not answer as an OpenID Connect provider."
        return _refuse(request, Unreachable(message, "Ask an administrator to check OIDC_ISSUER; the log has more."))


@login_not_required
@require_GET
def begin(request: HttpRequest) -> HttpResponse:
    """Sends the visitor to the provider.

    It is a link, not a form: the page's policy would forbid a form to another site.
    """
    return _answer_with_reasons(_send_to_provider, request)


@login_not_required
@require_GET
def come_back(request: HttpRequest, provider_id: str) -> HttpResponse:
    """The provider sends the visitor back to here."""
    return _answer_with_reasons(lambda request: callback(request, provider_id), request)


def _send_to_provider(request: HttpRequest) -> HttpResponse:
    count_way_to_provider(request)
    provider = get_adapter(request).get_provider(request, ID)
    answer: HttpResponse = provider.redirect(
        request, process=AuthProcess.LOGIN, next_url=read_wanted_path(request) or None
    )
    return answer


class CheckedRequests(HTTPAdapter):
    """Sends what allauth asks the provider, and each redirect, through `runner.outgoing`.

    With a proxy (HTTPS_PROXY), the proxy resolves the name and decides.
    """

    def send(
        self,
        request: Any,
        stream: bool = False,
        timeout: Any = None,
        verify: Any = True,
        cert: Any = None,
        proxies: Any = None,
    ) -> Response:
        if select_proxy(request.url, proxies or {}):
            return super().send(request, stream, timeout, verify, cert, proxies)
        body = request.body.encode() if isinstance(request.body, str) else request.body
        try:
            answer = call(
                request.url,
                method=request.method,
                body=body,
                headers={**request.headers, "Accept-Encoding": "identity"},
                is_internal=True,
                seconds=PROVIDER_SECONDS,
                tls=ssl.create_default_context(cafile=verify) if isinstance(verify, str) else None,
            )
        except (AddressRefused, NoAnswer) as error:
            raise NotConnected(str(error), request=request) from error
        response = Response()
        response.status_code, response._content = answer.status, answer.body
        response.headers.update(answer.headers.items())
        response.url, response.request = request.url, request
        return response


class Entrance(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Our answers to allauth after the provider's. It stores no account of its own."""

    def get_requests_session(self) -> Session:
        session: Session = super().get_requests_session()
        for scheme in ("https://", "http://"):
            session.mount(scheme, CheckedRequests())
        return session

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        claims = read_claims(sociallogin.account.extra_data)
        try:
            user = ensure_user(claims)
        except CannotSignIn as refusal:
            who = str(claims.get("preferred_username") or claims.get("email") or claims.get("sub"))
            address = request.META.get("REMOTE_ADDR", "")
            about = f"{who[:100]} (subject {str(claims.get('sub'))[:100]})"
            audit.add_entry(
                by=None,
                address=address,
                what="sign in refused",
                about=show_hidden(f"{about}: {refusal.message}"),
            )
            raise ImmediateHttpResponse(_refuse(request, refusal)) from refusal
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
        request.session.set_expiry(SESSION_SECONDS)
        raise ImmediateHttpResponse(HttpResponseRedirect(sociallogin.get_redirect_url(request) or find_first_page()))

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: Any = None, exception: Any = None, extra_context: Any = None
    ) -> None:
        refusal = _make_refusal(request, error, exception, extra_context or {})
        raise ImmediateHttpResponse(_refuse(request, refusal)) from exception


def read_claims(data: dict[str, Any]) -> dict[str, Any]:
    """The combined claims of the ID token and the provider's page about the user. Raises CannotSignIn.

    The identity comes only from the token, which the provider signs for us.
    """
    token, page = data["id_token"], data.get("userinfo", {})
    if page.get("sub", token["sub"]) != token["sub"]:
        raise CannotSignIn(f"{settings.OIDC_NAME} mixed up two users.", BEGIN_AGAIN)
    return {**token, **page, "iss": token["iss"], "sub": token["sub"]}


def _make_refusal(request: HttpRequest, error: Any, exception: Any, context: dict[str, Any]) -> Refusal:
    name = settings.OIDC_NAME
    if isinstance(exception, RequestException):
        return _make_unreachable(exception)
    if exception is not None:
        log.warning("the provider's answer: %s", str(exception)[:500])
        hint = "Ask an administrator to check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; the log has the answer."
        return CannotSignIn(f"{name} did not confirm your sign-in.", hint)
    if error is AuthError.CANCELLED:
        return CannotSignIn(f"You cancelled the sign-in with {name}.", BEGIN_AGAIN)
    if "state" not in context:
        return CannotSignIn("This sign-in began in another browser, or more than ten minutes ago.", BEGIN_AGAIN)
    reason = request.GET.get("error_description") or request.GET.get("error") or "no reason given"
    return CannotSignIn(f"{name} refused the sign-in: {reason[:200]}.", "Ask its administrator.")


def _make_unreachable(error: RequestException) -> Unreachable:
    log.warning("the provider fails: %s", error)
    name = settings.OIDC_NAME
    if isinstance(error, HTTPError) and error.response is not None:
        message = f"{name} answered {error.response.status_code}."
        return Unreachable(message, "Ask an administrator to check OIDC_ISSUER; the log has the address.")
    return Unreachable(f"{name} does not answer.", "Try again in a minute, or sign in with a password.")
