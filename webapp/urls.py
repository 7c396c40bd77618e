"""The addresses of the server."""

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, path, re_path

from runner.watch.prometheus.views import metrics
from webapp.accounts import provider_views
from webapp.accounts.views import SignIn, enter
from webapp.api import api
from webapp.docs.views import serve_docs
from webapp.views import answer_health_check, show_page, show_shared_page

# The API answers 401 in JSON itself; the login middleware would redirect to a page.
api_urls = api.urls
for pattern in api_urls[0]:
    assert pattern.callback is not None
    pattern.callback = login_not_required(pattern.callback)

CALLBACK = "openid_connect_callback"
"""allauth's name for the address to which the provider sends a visitor back."""

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", api_urls),
    path("login", SignIn.as_view(), name="login"),
    path("login/provider", provider_views.begin),
    path("login/provider/callback", provider_views.come_back, {"provider_id": provider_views.ID}, CALLBACK),
    path("logout", LogoutView.as_view(), name="logout"),
    path("enter", enter),
    path("health", answer_health_check),
    path("metrics", metrics),
    path("shared", show_shared_page),
    re_path(r"^docs(?:/(?P<name>.*))?$", serve_docs),
    re_path(r"^(?!api/|static/|ws/).*$", show_page),
]
