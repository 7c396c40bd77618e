"""Which address leads where."""

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, URLResolver, path, re_path

from runner.watch.prometheus.views import metrics
from webapp.accounts.views import SignIn, enter
from webapp.api import api
from webapp.docs.views import docs
from webapp.views import health, page

# The API answers 401 in JSON itself; the login middleware would redirect to a page.
api_urls = api.urls
for pattern in api_urls[0]:
    assert pattern.callback is not None
    pattern.callback = login_not_required(pattern.callback)

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", api_urls),
    path("login", SignIn.as_view(), name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("enter", enter),
    path("health", health),
    path("metrics", metrics),
    re_path(r"^docs(?:/(?P<name>.*))?$", docs),
    re_path(r"^(?!api/|static/|ws/).*$", page),
]
