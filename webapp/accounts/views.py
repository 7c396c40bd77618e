"""Sign in by password, by a one-time link, and out."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_GET

from webapp.accounts.services import user_of_token
from webapp.accounts.throttle import TRIES_A_MINUTE, too_many_tries

PAGE = "accounts/login.html"


def ask(request: HttpRequest, message: str, *, status: int) -> HttpResponse:
    """The sign-in page with a message above the form."""
    return render(request, PAGE, {"form": AuthenticationForm(request), "message": message}, status=status)


@method_decorator(login_not_required, name="dispatch")
class SignIn(LoginView):
    template_name = PAGE
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if too_many_tries(request, request.POST.get("username", "")):
            message = f"More than {TRIES_A_MINUTE} tries in a minute. Wait a minute, then try again."
            return ask(request, message, status=429)
        return super().post(request, *args, **kwargs)


@login_not_required
@require_GET
def enter(request: HttpRequest) -> HttpResponse:
    """The address `make run` prints: signs in once, then goes home."""
    user = user_of_token(request.GET.get("user", ""), request.GET.get("token", ""))
    if user is None:
        if request.user.is_authenticated:
            return redirect("/")
        message = "This link was already used or is too old. Sign in with the name and password in .run/login."
        return ask(request, message, status=403)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return HttpResponseRedirect("/")
