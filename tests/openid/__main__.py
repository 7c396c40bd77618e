"""An OpenID Connect provider as its own process: `python -m tests.openid PORT FOLDER`.

It is the provider of django-allauth, with people, groups and clients of the tests. Its access tokens are signed JWTs,
which a Kafka broker can verify.
"""

from __future__ import annotations

import sys
from pathlib import Path
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

from tests.openid.people import CLIENT, JOB_CLIENTS, PASSWORD, PEOPLE, SECRET


def _pem() -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    kind, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(kind, form, serialization.NoEncryption()).decode()


def _configure(folder: Path) -> None:
    settings.configure(
        SECRET_KEY="only for tests",
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF="tests.openid.urls",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "openid.sqlite3")}},
        INSTALLED_APPS=[
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.sessions",
            "django.contrib.messages",
            "allauth",
            "allauth.account",
            "allauth.idp.oidc",
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "allauth.account.middleware.AccountMiddleware",
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                    ]
                },
            }
        ],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        AUTHENTICATION_BACKENDS=["django.contrib.auth.backends.ModelBackend"],
        ACCOUNT_RATE_LIMITS=False,
        ACCOUNT_EMAIL_VERIFICATION="none",
        IDP_OIDC_PRIVATE_KEY=_pem(),
        IDP_OIDC_ACCESS_TOKEN_FORMAT="jwt",
        IDP_OIDC_ADAPTER="tests.openid.claims.Claims",
        USE_TZ=True,
        # beside another Django on this host, whose cookies a browser sends here as well
        SESSION_COOKIE_NAME="openid-session",
        CSRF_COOKIE_NAME="openid-csrf",
    )
    django.setup()


def _fill() -> None:
    from allauth.account.models import EmailAddress
    from allauth.idp.oidc.models import Client
    from django.contrib.auth.models import Group, User

    for name, groups in PEOPLE.items():
        user = User.objects.create_user(name, email=f"{name}@example.com", password=PASSWORD)
        user.groups.set([Group.objects.get_or_create(name=group)[0] for group in groups])
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    page = Client(id=CLIENT, name="Streamwright", skip_consent=True)
    page.set_redirect_uris(["http://testserver/login/provider/callback", "http://127.0.0.1/login/provider/callback"])
    page.set_scopes(["openid", "profile", "email"])
    jobs = [Client(id=name, name=name, grant_types="client_credentials", scopes="kafka") for name in JOB_CLIENTS]
    for client in (page, *jobs):
        client.set_secret(SECRET)
        client.save()


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


if __name__ == "__main__":
    _configure(Path(sys.argv[2]))
    call_command("migrate", verbosity=0)
    _fill()
    make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application(), _Server, WSGIRequestHandler).serve_forever()
