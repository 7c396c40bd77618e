"""Sign in by password, by a one-time link, and out."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET

from runner.demo.samples.services import find_sample_topology
from webapp.accounts.provider import name_provider
from webapp.accounts.services import find_user_of_token
from webapp.accounts.throttle import CannotCount, TooManyTries, count_try, take_back

PAGE = "accounts/login.html"


def ask(request: HttpRequest, message: str, *, status: int) -> HttpResponse:
    """The sign-in page with a message above the form. It keeps the visitor's target."""
    context = {"form": AuthenticationForm(request), "message": message, "next": read_wanted_path(request)}
    context["provider"] = name_provider()
    return render(request, PAGE, context, status=status)


def read_wanted_path(request: HttpRequest) -> str:
    """The path of this site in `next`. Empty if it has none."""
    path = request.POST.get("next") or request.GET.get("next", "")
    ours = path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if ours else ""


def find_first_page() -> str:
    """The sample topology if it exists, else the list of topologies."""
    sample = find_sample_topology()
    return f"/topologies/{sample.pk}" if sample else "/"


@method_decorator(login_not_required, name="dispatch")
class SignIn(LoginView):
    template_name = PAGE
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"provider": name_provider()}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            count_try(request, request.POST.get("username", ""))
        except (TooManyTries, CannotCount) as refusal:
            return ask(request, f"{refusal.message} {refusal.hint}", status=refusal.status)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        take_back(self.request, self.request.POST.get("username", ""))
        return super().form_valid(form)


@login_not_required
@require_GET
def enter(request: HttpRequest) -> HttpResponse:
    """The address that `make run` prints: signs in once, then goes to `next`, else to the first page."""
    user = find_user_of_token(request.GET.get("user", ""), request.GET.get("token", ""))
    if user is None:
        if request.user.is_authenticated:
            return HttpResponseRedirect(read_wanted_path(request) or find_first_page())
        message = "This link was already used or is too old. Sign in with the name and password in .run/login."
        return ask(request, message, status=403)
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return HttpResponseRedirect(read_wanted_path(request) or find_first_page())
