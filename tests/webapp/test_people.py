"""Users, groups and projects as administrators manage them, and one's own password."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from designer.projects.models import Grant, Project
from designer.projects.projects import get_default_project
from designer.projects.roles import Role
from designer.projects.services import create_topology
from tests.people import person
from webapp.accounts.models import User
from webapp.accounts.throttle import MAX_TRIES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]
PASSWORD = "analytical engine"


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root", password="difference engine")


@pytest.fixture
def browser(root: User) -> Client:
    return signed_in(root)


def signed_in(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def send(browser: Client, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    answer = browser.generic(method, f"/api/{path}", "" if body is None else json.dumps(body), "application/json")
    return answer.status_code, answer.json() if answer.content else None


def make_user(browser: Client, name: str = "ada", **wanted: Any) -> Any:
    status, made = send(browser, "POST", "users", {"name": name, "password": PASSWORD} | wanted)
    assert status == 201, made
    return made


def test_more_projects_and_tokens_take_no_more_queries(browser: Client, root: User) -> None:
    def add(name: str) -> None:
        project = Project.objects.create(name=name)
        Grant.objects.create(project=project, user=root, role=Role.EDITOR)
        create_topology(name=name, by=root, project=project)
        send(browser, "POST", "tokens", {"name": name, "project": name})

    def count_queries(address: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert send(browser, "GET", address)[0] == 200
        return len(queries)

    add("flights")
    count_queries("projects")
    for_one = [count_queries(address) for address in ("projects", "tokens")]
    for name in ("orders", "payments"):
        add(name)

    assert [count_queries(address) for address in ("projects", "tokens")] == for_one
    listed = {each["name"]: each for each in send(browser, "GET", "projects")[1]}
    assert listed["orders"]["topologies"] == 1
    assert listed["orders"]["holders"] == [{"user": "root", "group": "", "role": "editor"}]


def test_a_user_is_made_with_a_password_and_without_a_role(browser: Client) -> None:
    made = make_user(browser)

    client = Client()
    assert client.login(username="ada", password=PASSWORD)
    assert (made["is_active"], made["is_product_administrator"], made["groups"]) == (True, False, [])
    assert send(client, "GET", "topologies") == (200, [])
    assert send(client, "GET", "users")[0] == 403


@pytest.mark.parametrize(
    ("wanted", "status", "message"),
    [
        ({"name": "", "password": PASSWORD}, 400, "This field cannot be blank."),
        ({"name": "a b", "password": PASSWORD}, 400, "Enter a valid username."),
        ({"name": "root", "password": PASSWORD}, 409, "User `root` already exists."),
        ({"name": "ada", "password": "short"}, 422, "This password is too short."),
        ({"name": "ada", "password": "password12345"}, 422, "This password is too common."),
        ({"name": "ada", "password": "xxxxxxxxxxxxxx"}, 422, "The password needs at least 5 different characters."),
        ({"name": "ada", "password": "XyXyXyXyXyXyXy"}, 422, "The password needs at least 5 different characters."),
        ({"name": "ada", "password": PASSWORD, "groups": ["team"]}, 404, "There is no group `team`."),
    ],
)
def test_a_user_that_cannot_be_made_is_refused(
    wanted: dict[str, Any], status: int, message: str, browser: Client
) -> None:
    refused, said = send(browser, "POST", "users", wanted)

    assert refused == status
    assert said["message"].startswith(message)
    assert list(User.objects.values_list("username", flat=True)) == ["root"]


def test_a_deactivated_user_is_signed_out_at_once(browser: Client) -> None:
    made = make_user(browser)
    client = Client()
    client.login(username="ada", password=PASSWORD)

    changed = send(browser, "PATCH", f"users/{made['id']}", {"is_active": False})[1]

    assert not changed["is_active"]
    assert send(client, "GET", "rights")[0] == 401
    assert not Client().login(username="ada", password=PASSWORD)


def test_a_reset_password_ends_the_sessions_of_the_old_one(browser: Client) -> None:
    made = make_user(browser)
    client = Client()
    client.login(username="ada", password=PASSWORD)

    status, _ = send(browser, "PATCH", f"users/{made['id']}", {"password": "a new engine"})

    assert (status, send(client, "GET", "rights")[0]) == (200, 401)
    assert Client().login(username="ada", password="a new engine")


def test_nobody_takes_their_own_rights_away(browser: Client, root: User) -> None:
    answers = [
        send(browser, "PATCH", f"users/{root.pk}", {member: False})
        for member in ("is_active", "is_product_administrator")
    ]

    assert [status for status, _ in answers] == [409, 409]
    root.refresh_from_db()
    assert root.is_active and root.is_superuser


def test_one_changes_ones_own_password_and_stays_signed_in(browser: Client) -> None:
    cache.clear()
    elsewhere = Client()
    elsewhere.login(username="root", password="difference engine")

    wrong = send(browser, "PUT", "password", {"old": "guess", "new": PASSWORD})
    weak = send(browser, "PUT", "password", {"old": "difference engine", "new": "short"})
    status, _ = send(browser, "PUT", "password", {"old": "difference engine", "new": PASSWORD})

    assert (wrong[0], weak[0], status) == (422, 422, 204)
    assert wrong[1]["message"] == "The old password is wrong."
    assert (send(browser, "GET", "rights")[0], send(elsewhere, "GET", "rights")[0]) == (200, 401)


def test_guessing_the_old_password_is_slowed_down(browser: Client) -> None:
    cache.clear()
    guess = {"old": "guess", "new": PASSWORD}

    statuses = [send(browser, "PUT", "password", guess)[0] for _ in range(MAX_TRIES["name and address"] + 1)]

    assert statuses[-1] == 429


def test_a_group_gives_its_members_a_role_and_takes_it_when_it_goes(browser: Client) -> None:
    send(browser, "POST", "groups", {"name": "team"})
    make_user(browser, groups=["team"])
    client = Client()
    client.login(username="ada", password=PASSWORD)

    given = send(browser, "PUT", "projects/default/roles", {"group": "team", "role": "operator"})[1]
    before = send(client, "GET", "rights")[1]["projects"]
    listed = send(browser, "GET", "groups")[1]
    status, _ = send(browser, "DELETE", "groups/team")

    assert given["holders"] == [{"user": "", "group": "team", "role": "operator"}]
    assert [each["role"] for each in before] == ["operator"]
    assert (listed, status) == ([{"name": "team", "members": 1}], 204)
    assert send(client, "GET", "rights")[1]["projects"] == []


def test_the_administrator_of_a_project_gives_roles_in_it_alone(browser: Client) -> None:
    send(browser, "POST", "projects", {"name": "orders"})
    send(browser, "POST", "projects", {"name": "secret"})
    ada = person("ada", Role.ADMINISTRATOR, Project.objects.get(name="orders"))
    person("bob", None)
    client = signed_in(ada)

    given = send(client, "PUT", "projects/orders/roles", {"user": "bob", "role": "editor"})
    foreign = send(client, "PUT", "projects/secret/roles", {"user": "ada", "role": "viewer"})
    listed = send(client, "GET", "projects")[1]
    taken = send(client, "PUT", "projects/orders/roles", {"user": "bob", "role": None})[1]

    assert given[1]["holders"][1] == {"user": "bob", "group": "", "role": "editor"}
    assert (foreign[0], [each["name"] for each in listed]) == (404, ["orders"])
    assert [each["user"] for each in taken["holders"]] == ["ada"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"user": "nobody", "role": "viewer"}, 404),
        ({"group": "nobody", "role": "viewer"}, 404),
        ({"role": "viewer"}, 400),
        ({"user": "root", "group": "team", "role": "viewer"}, 400),
        ({"user": "root", "role": "product administrator"}, 422),
    ],
)
def test_a_role_that_cannot_be_given_is_refused(body: dict[str, Any], status: int, browser: Client) -> None:
    assert send(browser, "PUT", "projects/default/roles", body)[0] == status
    assert not Grant.objects.exists()


@pytest.mark.parametrize(
    ("name", "status"), [("", 400), ("Orders", 400), ("a" * 65, 400), ("a/b", 400), ("default", 409)]
)
def test_a_project_has_a_plain_name_of_its_own(name: str, status: int, browser: Client) -> None:
    get_default_project()

    assert send(browser, "POST", "projects", {"name": name})[0] == status


def test_a_project_is_deleted_once_it_is_empty(browser: Client) -> None:
    send(browser, "POST", "projects", {"name": "orders"})
    topology = create_topology(name="Orders", by=None, project=Project.objects.get(name="orders"))

    full = send(browser, "DELETE", "projects/orders")
    topology.delete()
    empty = send(browser, "DELETE", "projects/orders")

    assert (full[0], full[1]["message"], empty[0]) == (409, "`orders` has 1 topologies.", 204)
    assert send(browser, "DELETE", "projects/default")[0] == 409
