"""Tokens for programs: shown once, bounded by time and by what they may do, gone at once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from designer.projects.models import Grant, Project
from designer.projects.roles import Role
from tests.people import person
from webapp.accounts import tokens
from webapp.accounts.models import ApiToken, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return person("ada")


@pytest.fixture
def browser(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def made(user: User, role: Role = Role.PRODUCT, project: Project | None = None) -> str:
    _, text = tokens.create(user=user, name="ci", days=1, role=role, project=project)
    return text


def asked(token: str, method: str = "GET", path: str = "/api/topologies", body: Any = None) -> Any:
    """A request of a program: strict about CSRF, as a browser's would be."""
    return Client(enforce_csrf_checks=True).generic(
        method, path, body or "", content_type="application/json", headers={"authorization": f"Bearer {token}"}
    )


def test_a_token_is_shown_once_and_kept_as_a_digest(browser: Client) -> None:
    answer = browser.post("/api/tokens", {"name": "ci", "days": 30}, content_type="application/json")
    listed = browser.get("/api/tokens").json()

    token = answer.json()["text"]
    (kept,) = ApiToken.objects.values()
    assert answer.status_code == 201
    assert token.startswith(listed[0]["begins"])
    assert "token" not in listed[0]
    assert token not in str(kept)


def test_a_token_has_the_rights_of_its_user_without_a_cookie(user: User) -> None:
    token = made(user)

    created = asked(token, "POST", body='{"name": "Orders"}')

    assert created.status_code == 201
    assert created.json()["owner"] == "ada"
    assert ApiToken.objects.get().used_at is not None


def test_the_token_of_a_viewer_changes_nothing(user: User) -> None:
    token = made(user, Role.VIEWER)

    refused = asked(token, "POST", body='{"name": "Orders"}')

    assert asked(token).status_code == 200
    assert (refused.status_code, refused.json()["code"]) == (403, "rights.missing")
    assert refused.json()["message"] == "The token `ci` gives at most the role viewer, and this needs the role editor."


def test_a_token_is_not_blamed_for_what_its_user_may_not_do() -> None:
    token = made(person("eve", Role.VIEWER))

    refused = asked(token, "POST", body='{"name": "Orders"}')

    assert refused.json()["message"].startswith("Only an editor of the project `default` can do this")


def test_no_token_makes_or_lists_tokens(user: User) -> None:
    refused = asked(made(user), path="/api/tokens")

    assert (refused.status_code, refused.json()["message"]) == (403, "A token may not do this.")


def test_a_token_ends_with_its_time_its_user_and_when_it_is_deleted(browser: Client, user: User) -> None:
    token = made(user)
    states = [asked(token).status_code]

    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    states.append(asked(token).status_code)
    assert browser.get("/api/tokens").json()[0]["is_expired"]
    ApiToken.objects.update(expires_at=timezone.now() + timedelta(days=1))
    User.objects.filter(id=user.pk).update(is_active=False)
    states.append(asked(token).status_code)
    User.objects.filter(id=user.pk).update(is_active=True)
    states.append(asked(token).status_code)
    assert browser.delete(f"/api/tokens/{ApiToken.objects.get().id}").status_code == 204
    states.append(asked(token).status_code)

    assert states == [200, 401, 401, 200, 401]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"name": " "}, "A token's name has 1 to 100 characters."),
        ({"name": "ci", "days": 0}, "A token lives for 1 to 366 days."),
        ({"name": "ci", "days": 10**9}, "A token lives for 1 to 366 days."),
    ],
)
def test_a_token_that_cannot_be_made_is_refused(browser: Client, body: dict[str, Any], message: str) -> None:
    answer = browser.post("/api/tokens", body, content_type="application/json")

    assert (answer.status_code, answer.json()["message"]) == (400, message)


def rights_of(token: str) -> tuple[bool, dict[str, str]]:
    """Whether of a product administrator, and the role in each project."""
    rights = asked(token, path="/api/rights").json()
    return rights["is_product_administrator"], {each["name"]: each["role"] for each in rights["projects"]}


def test_a_token_may_at_most_what_its_user_may_at_that_moment(user: User) -> None:
    Grant.objects.create(project=Project.objects.create(name="orders"), user=user, role=Role.EDITOR)
    token = made(user, Role.OPERATOR)
    before = rights_of(token)

    user.grants.filter(project__name="default").delete()

    assert before == (False, {"default": "operator", "orders": "editor"})
    assert rights_of(token) == (False, {"orders": "editor"})


def test_the_token_of_a_project_sees_no_other(user: User) -> None:
    orders = Project.objects.create(name="orders")
    Grant.objects.create(project=orders, user=user, role=Role.ADMINISTRATOR)
    token = made(user, project=orders)

    refused = asked(token, "POST", body='{"name": "Orders"}')
    created = asked(token, "POST", body='{"name": "Orders", "project": "orders"}')

    assert rights_of(token) == (False, {"orders": "administrator"})
    assert (refused.status_code, created.status_code) == (403, 201)
    assert refused.json()["message"] == "The token `ci` is for one project, and this is outside of it."


def test_the_token_of_a_product_administrator_may_all_only_without_limits() -> None:
    root = User.objects.create_superuser("root")
    whole = made(root)
    tokens.find_tokens(root).update(name="whole")
    narrow = made(root, Role.ADMINISTRATOR)

    answers = [asked(token, path="/api/users") for token in (whole, narrow)]

    assert (rights_of(whole)[0], rights_of(narrow)[0]) == (True, False)
    assert [answer.status_code for answer in answers] == [200, 403]
    assert "gives at most the role administrator, and this needs" in answers[1].json()["message"]


def test_a_token_is_made_for_a_project_that_one_sees(browser: Client) -> None:
    Project.objects.create(name="orders")

    foreign, own = (
        browser.post("/api/tokens", {"name": name, "project": name, "role": "viewer"}, "application/json")
        for name in ("orders", "default")
    )

    assert (foreign.status_code, own.status_code) == (404, 201)
    assert (own.json()["token"]["project"], own.json()["token"]["role"]) == ("default", "viewer")


def test_names_are_a_users_own(browser: Client, user: User) -> None:
    made(user)
    other = person("eve")
    made(other)

    again = browser.post("/api/tokens", {"name": "ci"}, content_type="application/json")
    foreign = browser.delete(f"/api/tokens/{ApiToken.objects.get(user=other).id}")

    assert (again.status_code, foreign.status_code) == (409, 404)
    assert len(browser.get("/api/tokens").json()) == 1


@pytest.mark.parametrize("token", ["", "sw_", "sw_" + "x" * 43, "é", "\u0000"])
def test_what_is_no_token_signs_nobody_in(user: User, token: str) -> None:
    assert tokens.find_token(token) is None
