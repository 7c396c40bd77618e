"""Which address leads where."""

from django.contrib.auth.views import LogoutView
from django.urls import path, re_path

from webapp.accounts.views import SignIn, enter
from webapp.api import api
from webapp.views import health, page

urlpatterns = [
    path("api/", api.urls),
    path("login", SignIn.as_view(), name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("enter", enter),
    path("health", health),
    re_path(r"^(?!api/|static/|ws/).*$", page),
]
