"""Signing in with an OpenID Connect provider: who it is, which groups, and what is said when it fails."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.test import Client

from designer.projects.models import AuditEntry, Grant
from designer.projects.projects import get_default_project
from designer.projects.roles import Role
from tests.openid.people import CLIENT, SECRET
from tests.openid.provider import OpenId, pass_provider
from tests.people import person
from webapp.accounts import provider_views
from webapp.accounts.models import User
from webapp.accounts.people import create_user
from webapp.accounts.provider import CannotSignIn, ensure_user, read_groups
from webapp.accounts.provider_views import SESSION_SECONDS, read_claims
from webapp.accounts.throttle import MAX_TRIES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]


@pytest.fixture
def provider(openid: OpenId, settings: Any) -> OpenId:
    """The provider, as the settings name it; it asks us for a group, and makes bosses product administrators."""
    cache.clear()
    configure(settings, openid.issuer)
    settings.OIDC_GROUPS_CLAIM = "groups"
    settings.OIDC_ADMINISTRATORS = "bosses"
    return openid


def configure(settings: Any, issuer: str, secret: str = SECRET) -> None:
    settings.OIDC_ISSUER, settings.OIDC_NAME = issuer, "Acme ID"
    known = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]
    app = known["APPS"][0] | {"client_id": CLIENT, "secret": secret, "settings": {"server_url": issuer}}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": known | {"APPS": [app]}}


@pytest.fixture
def team() -> Group:
    """The group `team`, whose members are operators."""
    group = Group.objects.create(name="team")
    Grant.objects.create(project=get_default_project(), group=group, role=Role.OPERATOR)
    return group


def sign_in(client: Client, name: str, then: str = "") -> Any:
    """The answer to someone who comes back from the provider."""
    begun = client.get("/login/provider", {"next": then} if then else {})
    assert begun.status_code == 302, begun.content.decode()
    back = urlsplit(pass_provider(begun.headers["Location"], name))
    return client.get(f"{back.path}?{back.query}")


def said(answer: Any) -> str:
    """The message on the sign-in page."""
    text: str = answer.content.decode()
    return text.partition('role="alert">')[2].partition("</p>")[0]


def test_the_sign_in_page_offers_the_provider_beside_the_form(client: Client, provider: OpenId) -> None:
    page = client.get("/login", {"next": "/jobs/7?a=b&c"}).content.decode()

    assert '<a class="provider" href="/login/provider?next=%2Fjobs%2F7%3Fa%3Db%26c">Sign in with Acme ID</a>' in page
    assert 'name="password"' in page


def test_without_a_provider_nothing_is_offered(client: Client) -> None:
    assert "/login/provider" not in client.get("/login").content.decode()
    assert client.get("/login/provider").status_code == 404
    assert client.get("/login/provider/callback").status_code == 404


def test_the_provider_signs_in_a_new_user_with_the_roles_of_their_groups(
    client: Client, provider: OpenId, team: Group
) -> None:
    answer = sign_in(client, "ada", then="/jobs/7")

    rights = client.get("/api/rights").json()
    entry = AuditEntry.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, "/jobs/7")
    assert (rights["user"], rights["has_password"], rights["provider"]) == ("ada", False, "Acme ID")
    assert [(each["name"], each["role"]) for each in rights["projects"]] == [("default", "operator")]
    assert client.session.get_expiry_age() == SESSION_SECONDS
    assert (entry.what, entry.by, entry.about) == ("sign in", "ada", "/login/provider/callback")
    assert {"of": "user ada", "field": "groups", "before": None, "after": "team"} in entry.changes


def test_the_request_to_the_provider_is_bound_to_this_browser(client: Client, provider: OpenId) -> None:
    asked = parse_qs(urlsplit(client.get("/login/provider").headers["Location"]).query)

    assert (asked["response_type"], asked["code_challenge_method"]) == (["code"], ["S256"])
    assert asked["redirect_uri"] == ["http://testserver/login/provider/callback"]
    assert asked["state"][0] and asked["code_challenge"][0]


def test_groups_are_those_of_the_last_sign_in(client: Client, provider: OpenId, team: Group) -> None:
    sign_in(client, "ada")
    ada = User.objects.get(username="ada")
    ada.groups.set([Group.objects.create(name="others")])
    ada.is_superuser = True
    ada.save()

    sign_in(Client(), "ada")

    ada.refresh_from_db()
    assert ([group.name for group in ada.groups.all()], ada.is_superuser) == (["team"], False)


def test_the_group_of_administrators_administers_the_product(client: Client, provider: OpenId) -> None:
    sign_in(client, "carol")

    assert client.get("/api/rights").json()["is_product_administrator"]


def test_without_a_claim_of_groups_they_stay(client: Client, provider: OpenId, settings: Any, team: Group) -> None:
    settings.OIDC_GROUPS_CLAIM = ""
    sign_in(client, "bob")
    User.objects.get(username="bob").groups.add(team)

    sign_in(Client(), "bob")

    assert [each["role"] for each in client.get("/api/rights").json()["projects"]] == ["operator"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("eve", "None of your groups is known here: `strangers`. Ask a product administrator to make a group"),
        ("bob", "You are in no group. Ask the administrator of Acme ID to put you into one."),
        ("nameless", "Acme ID sent neither your user name nor an e-mail address that it has verified. Ask its admin"),
    ],
)
def test_who_cannot_be_a_user_is_told_why(
    name: str, message: str, client: Client, provider: OpenId, team: Group
) -> None:
    answer = sign_in(client, name)

    entry = AuditEntry.objects.get()
    assert answer.status_code == 403
    assert said(answer).startswith(message)
    assert client.get("/api/rights").status_code == 401
    assert not User.objects.exists()
    assert entry.what == "sign in refused" and message[:20] in entry.about


def test_a_deactivated_user_stays_out(client: Client, provider: OpenId, team: Group) -> None:
    sign_in(client, "ada")
    User.objects.update(is_active=False)

    answer = sign_in(Client(), "ada")

    assert answer.status_code == 403
    assert said(answer) == "The user `ada` may not sign in. Ask a product administrator to allow it again."


def test_a_user_with_a_password_is_not_taken_over(client: Client, provider: OpenId, team: Group) -> None:
    person("Ada", Role.VIEWER)

    answer = sign_in(client, "ada")

    assert answer.status_code == 403
    assert said(answer).startswith("User `Ada` already exists and signs in with a password.")
    assert "change `Ada` to sign in with Acme ID" in said(answer)


def test_an_administrator_leaves_a_user_to_the_provider_and_takes_them_back(
    client: Client, provider: OpenId, team: Group
) -> None:
    ada, root = person("ada"), Client()
    root.force_login(User.objects.create_superuser("root", password="difference engine"))

    def change(**wanted: Any) -> Any:
        return root.patch(f"/api/users/{ada.pk}", json.dumps(wanted), "application/json").json()

    left = change(has_provider=True)
    by_password = client.login(username="ada", password="difference engine")
    unproven = sign_in(client, "ada")
    subject = said(unproven).rpartition(" ")[2]
    change(has_provider=True, subject=subject)
    linked = sign_in(client, "ada")
    own = client.put("/api/password", {"old": "x", "new": "analytical engine"}, "application/json").json()
    back = change(password="analytical engine")

    assert (left["has_provider"], by_password, linked.status_code) == (True, False, 302)
    assert said(unproven).startswith("A user `ada` waits for Acme ID, which does not prove that this is you.")
    assert subject in AuditEntry.objects.filter(what="sign in refused").latest("id").about
    assert own["message"] == "Acme ID signs you in, without a password."
    assert (back["has_provider"], client.get("/api/rights").status_code) == (False, 401)
    assert sign_in(Client(), "ada").status_code == 403
    assert User.objects.count() == 2


@pytest.mark.parametrize(
    ("claims", "is_linked"),
    [
        ({"email": "boss@example.com", "email_verified": True}, True),
        ({"email": "boss@example.com", "email_verified": False}, False),
        ({"email": "boss@example.com", "email_verified": "true"}, False),
        ({"email": "boss@example.com"}, False),
        ({"preferred_username": "boss@example.com"}, False),
        ({"preferred_username": "boss@example.com", "email": "eve@example.com", "email_verified": True}, False),
        ({"preferred_username": "boss@example.com", "email": "boss@example.com", "email_verified": True}, True),
    ],
)
def test_a_user_who_waits_is_linked_by_an_address_that_the_provider_has_verified(
    claims: dict[str, Any], is_linked: bool, settings: Any
) -> None:
    configure(settings, "https://id.example.com")
    settings.OIDC_GROUPS_CLAIM = ""
    waiting = User.objects.create_user("Boss@example.com")

    try:
        found = ensure_user({"iss": "https://id.example.com", "sub": "7", **claims})
    except CannotSignIn:
        found = None

    assert (found == waiting) is is_linked
    assert User.objects.count() == 1


def test_a_user_who_waits_is_linked_by_the_subject_whatever_the_name(settings: Any) -> None:
    configure(settings, "https://id.example.com/")
    settings.OIDC_ISSUER, settings.OIDC_GROUPS_CLAIM = "https://id.example.com", ""
    root = User.objects.create_superuser("root", password="difference engine")
    ada = create_user(name="ada", password=None, is_product_administrator=False, groups=[], by=root, subject="7")

    assert ensure_user({"iss": "https://id.example.com/", "sub": "7", "preferred_username": "lovelace"}) == ada
    with pytest.raises(CannotSignIn):
        ensure_user({"iss": "https://id.example.com/", "sub": "8", "preferred_username": "ada"})


def test_another_account_of_the_same_name_is_refused(client: Client, provider: OpenId, team: Group) -> None:
    User.objects.create_user("ada", identity=f"{provider.issuer} 4711")

    assert said(sign_in(client, "ada")).startswith("The user `ada` belongs to another account of Acme ID.")


def test_a_user_without_a_password_needs_a_provider(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root", password="difference engine"))

    answer = client.post("/api/users", {"name": "ada"}, "application/json")

    assert (answer.status_code, answer.json()["hint"]) == (422, "Give a password, or set OIDC_ISSUER.")


def test_a_provider_that_is_away_is_named(client: Client, settings: Any) -> None:
    cache.clear()
    configure(settings, "http://127.0.0.1:1")

    answer = client.get("/login/provider")

    assert answer.status_code == 502
    assert said(answer) == "Acme ID does not answer. Try again in a minute, or sign in with a password."


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/elsewhere", "Acme ID answered 404. Ask an administrator to check OIDC_ISSUER; the log has the address."),
        (
            "/.well-known/jwks.json?",
            "Acme ID does not answer as an OpenID Connect provider. Ask an administrator to check OIDC_ISSUER;",
        ),
    ],
)
def test_a_wrong_address_is_said(path: str, message: str, client: Client, provider: OpenId, settings: Any) -> None:
    configure(settings, provider.issuer + path)

    answer = client.get("/login/provider")

    assert answer.status_code == 502
    assert said(answer).startswith(message)


def test_a_wrong_secret_is_said(client: Client, provider: OpenId, settings: Any) -> None:
    configure(settings, provider.issuer, secret="another")

    answer = sign_in(client, "ada")

    assert answer.status_code == 403
    assert said(answer).startswith("Acme ID did not confirm your sign-in. Ask an administrator to check OIDC_CLIENT_ID")


def test_what_the_provider_refuses_is_said(client: Client, provider: OpenId) -> None:
    def come_back(**said: str) -> Any:
        state = parse_qs(urlsplit(client.get("/login/provider").headers["Location"]).query)["state"][0]
        return client.get("/login/provider/callback", said | {"state": state})

    cancelled = come_back(error="access_denied")
    other = come_back(error="server_error", error_description="<b>busy</b>")

    assert said(cancelled) == "You cancelled the sign-in with Acme ID. Begin the sign-in again."
    assert said(other) == "Acme ID refused the sign-in: &lt;b&gt;busy&lt;/b&gt;. Ask its administrator."


def test_an_answer_for_another_browser_signs_nobody_in(client: Client, provider: OpenId, team: Group) -> None:
    back = urlsplit(pass_provider(client.get("/login/provider").headers["Location"], "ada"))
    other = Client()

    answer = other.get(f"{back.path}?{back.query}")

    assert answer.status_code == 403
    assert said(answer).startswith("This sign-in began in another browser, or more than ten minutes ago.")
    assert other.get("/api/rights").status_code == 401


def test_the_way_to_the_provider_is_throttled(
    client: Client, provider: OpenId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(MAX_TRIES, "ways to the provider", 3)

    statuses = [client.get("/login/provider").status_code for _ in range(4)]

    assert statuses == [302, 302, 302, 429]


def test_the_provider_leads_nowhere_else(client: Client, provider: OpenId, team: Group) -> None:
    assert sign_in(client, "ada", then="https://evil.example/").headers["Location"] == "/"


@pytest.mark.parametrize(
    ("claim", "claims", "groups"),
    [
        ("", {"groups": ["team"]}, None),
        ("groups", {"groups": ["/team", "a/b"]}, ["team", "a/b"]),
        ("groups", {"groups": "team"}, ["team"]),
        ("realm_access.roles", {"realm_access": {"roles": ["team"]}}, ["team"]),
        ("https://acme.com/groups", {"https://acme.com/groups": ["team"]}, ["team"]),
    ],
)
def test_groups_are_read_where_the_setting_says(claim: str, claims: Any, groups: Any, settings: Any) -> None:
    settings.OIDC_GROUPS_CLAIM = claim

    assert read_groups(claims) == groups


@pytest.mark.parametrize("claims", [{}, {"groups": 7}, {"groups": [7]}, {"groups": {"a": "b"}}])
def test_a_claim_without_groups_is_refused(claims: Any, settings: Any) -> None:
    settings.OIDC_GROUPS_CLAIM = "groups"

    with pytest.raises(CannotSignIn, match="did not say which groups you are in"):
        read_groups(claims)


@pytest.mark.parametrize(
    ("claim", "value"),
    [("sub", each) for each in ("", None, True, ["7"], {"id": 7}, "7\0", "7\ud800", "7\n8")]
    + [("preferred_username", each) for each in (5, ["ada"], {"name": "ada"}, "a\0da")]
    + [("email", ["ada@example.com"])],
)
def test_a_claim_that_names_nobody_is_refused(claim: str, value: Any, settings: Any) -> None:
    configure(settings, "https://id.example.com")
    settings.OIDC_GROUPS_CLAIM = ""
    claims = {"iss": "https://id.example.com", "sub": "7", "preferred_username": "ada", "email_verified": True}

    with pytest.raises(CannotSignIn, match=f"Acme ID sent a claim `{claim}` that is not a line of text."):
        ensure_user({**claims, claim: value})

    assert not User.objects.filter(username="ada").exists()


def test_a_refused_claim_is_in_the_audit_whatever_it_holds(
    client: Client, provider: OpenId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider_views, "read_claims", lambda data: {"sub": "7\0", "preferred_username": "\ud800"})

    answer = sign_in(client, "ada")

    assert answer.status_code == 403
    assert r"\ud800 (subject 7\u0000)" in AuditEntry.objects.get(what="sign in refused").about


def test_a_group_that_cannot_be_ours_is_left_out(settings: Any, team: Group) -> None:
    configure(settings, "https://id.example.com")
    settings.OIDC_GROUPS_CLAIM = "groups"
    groups = ["a\0b", "\ud800", "team"]

    user = ensure_user({"iss": "https://id.example.com", "sub": "7", "preferred_username": "ada", "groups": groups})

    assert list(user.groups.all()) == [team]


def test_the_token_alone_says_who_it_is() -> None:
    token = {"iss": "https://id", "sub": "7"}

    assert read_claims({"id_token": token, "userinfo": {"sub": "7", "iss": "x", "email": "a@b.c"}}) == token | {
        "email": "a@b.c"
    }
    with pytest.raises(CannotSignIn, match="mixed up two users"):
        read_claims({"id_token": token, "userinfo": {"sub": "8"}})
