"""Signing in: nothing is shown without it, links work once, guessing is slowed down."""

from __future__ import annotations

import io
import socket
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils.timezone import now

from designer.projects.models import Topology
from designer.projects.services import (
    create_topology,
    create_version,
    delete_topology,
    import_topology,
    rename_topology,
    set_slug,
)
from runner.control.clusters.models import Cluster
from runner.control.jobs.models import Job
from runner.demo.samples import FLIGHT_DELAYS, get_sample
from runner.demo.samples.services import JOB
from tests.people import person
from webapp.accounts import services
from webapp.accounts.models import User
from webapp.accounts.tasks import delete_old_sessions
from webapp.accounts.throttle import MAX_TRIES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis_url")]


@pytest.fixture
def user() -> User:
    cache.clear()
    return person("ada")


@pytest.mark.parametrize("path", ["/api/operators", "/api/topologies", "/api/jobs", "/api/clusters"])
def test_the_api_answers_nobody_who_is_not_signed_in(client: Client, path: str) -> None:
    response = client.get(path)

    assert response.status_code == 401


def test_the_page_sends_a_stranger_to_sign_in(client: Client) -> None:
    response = client.get("/jobs/7")

    assert response.status_code == 302
    assert response.headers["Location"] == "/login?next=/jobs/7"


def test_a_one_time_link_signs_in_once(client: Client, user: User) -> None:
    link = urlsplit(services.make_one_time_url("ada", "http://localhost:8000"))

    first = client.get(f"{link.path}?{link.query}")
    again = Client().get(f"{link.path}?{link.query}")

    assert (first.status_code, first.headers["Location"]) == (302, "/")
    assert client.session["_auth_user_id"] == str(user.pk)
    assert again.status_code == 403
    assert "already used" in again.content.decode()


def enter(client: Client, **query: str) -> str:
    """Where a fresh link leads."""
    link = urlsplit(services.make_one_time_url("ada", "http://localhost:8000"))
    response = client.get(f"{link.path}?{link.query}&{urlencode(query)}")
    assert response.status_code == 302
    return response.headers["Location"]


def test_a_link_opens_the_sample_topology_once_it_is_there(client: Client, user: User) -> None:
    create_topology(name="Something else", by=user)
    before = enter(client)

    topology = import_topology(export=get_sample(FLIGHT_DELAYS), by=user)
    set_slug(topology=topology)  # as its deploy does
    rename_topology(topology=topology, name="My flights")

    assert (before, enter(client)) == ("/", f"/topologies/{topology.id}")


def test_a_start_draws_the_sample_until_its_job_was_deployed(user: User, settings: Any, tmp_path: Path) -> None:
    def start() -> str:
        address = io.StringIO()
        call_command("login_url", "--sample", stdout=address)
        return Client().get(address.getvalue().strip()).headers["Location"]

    settings.HOME = tmp_path
    first, again = start(), start()
    sample = Topology.objects.get()
    page = f"/topologies/{sample.id}"
    version = create_version(topology=create_topology(name="My own", by=user), by=user)
    cluster = Cluster.objects.create(name="test", bootstrap_servers="127.0.0.1:1")
    people = {"created_by": user, "updated_by": user}
    Job.objects.create(
        name=JOB, application_id=JOB, topology=version.topology, version=version, cluster=cluster, **people
    )
    delete_topology(topology=sample)

    assert (first, again, start()) == (page, page, "/")


def test_a_used_link_leads_who_is_signed_in_to_the_same_page(client: Client, user: User) -> None:
    topology = import_topology(export=get_sample(FLIGHT_DELAYS), by=user)
    link = urlsplit(services.make_one_time_url("ada", "http://localhost:8000"))

    pages = [client.get(f"{link.path}?{link.query}").headers["Location"] for _ in range(2)]

    assert pages == [f"/topologies/{topology.id}"] * 2


def test_a_link_leads_to_the_path_it_names(client: Client, user: User) -> None:
    assert enter(client, next="/jobs/7?tab=runs") == "/jobs/7?tab=runs"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "http:///evil.example",
        "login",
    ],
)
def test_a_link_leads_nowhere_else(client: Client, user: User, elsewhere: str) -> None:
    assert enter(client, next=elsewhere) == "/"


@pytest.mark.parametrize(("wanted", "kept"), [("/jobs/7", "/jobs/7"), ("https://evil.example/", "/")])
def test_the_sign_in_page_remembers_where_one_wanted_to_go(client: Client, wanted: str, kept: str) -> None:
    cache.clear()
    pages = [client.get("/login", {"next": wanted}), client.get("/enter", {"next": wanted})]
    pages += [client.post("/login", {"username": "ada", "password": "wrong", "next": wanted}) for _ in range(7)]

    assert [page.status_code for page in pages] == [200, 403] + [200] * 5 + [429] * 2
    assert all(f'name="next" value="{kept}"' in page.content.decode() for page in pages)


def test_a_forged_link_signs_nobody_in(client: Client, user: User) -> None:
    link = urlsplit(services.make_one_time_url("ada", "http://localhost:8000"))

    response = client.get(f"{link.path}?{link.query[:-1]}x")

    assert response.status_code == 403


def test_name_and_password_sign_in(client: Client, user: User) -> None:
    response = client.post("/login", {"username": "ada", "password": "difference engine", "next": "/jobs/1"})

    assert (response.status_code, response.headers["Location"]) == (302, "/jobs/1")


def test_guessing_passwords_is_slowed_down(client: Client, user: User) -> None:
    for _ in range(MAX_TRIES["name and address"]):
        assert client.post("/login", {"username": "ada", "password": "wrong"}).status_code == 200

    response = client.post("/login", {"username": "ada", "password": "difference engine"})

    assert response.status_code == 429
    assert "Wait a minute" in response.content.decode()


def tries(client: Client, count: int, name: str = "ada", **meta: str) -> list[int]:
    """The status of so many wrong tries; `{}` in the name and the address stands for their number."""
    return [
        client.post(
            "/login",
            {"username": name.format(number), "password": "wrong"},
            **{key: value.format(number) for key, value in meta.items()},  # type: ignore[arg-type]
        ).status_code
        for number in range(count)
    ]


def test_failures_lock_nobody_else_behind_an_address(client: Client, user: User) -> None:
    tries(client, 40, name="user{}")
    tries(client, MAX_TRIES["name and address"] + 1, name="bob")

    assert client.post("/login", {"username": "ada", "password": "difference engine"}).status_code == 302


def test_sign_ins_that_succeed_are_not_counted(client: Client, user: User) -> None:
    statuses = []
    for _ in range(3):
        statuses += tries(client, MAX_TRIES["name and address"] - 1)
        statuses.append(Client().post("/login", {"username": "ada", "password": "difference engine"}).status_code)

    assert statuses == ([200] * (MAX_TRIES["name and address"] - 1) + [302]) * 3


def test_a_name_that_strangers_try_stays_open_where_its_owner_signed_in(client: Client, user: User) -> None:
    right = {"username": "ada", "password": "difference engine"}
    Client().post("/login", right)

    tries(client, MAX_TRIES["name"] + 1, REMOTE_ADDR="10.0.1.{}")

    assert Client().post("/login", right, REMOTE_ADDR="10.0.9.9").status_code == 429
    assert Client().post("/login", right).status_code == 302


def test_a_name_that_many_addresses_try_is_slowed_down(client: Client, user: User) -> None:
    most = MAX_TRIES["name"]

    assert tries(client, most + 1, REMOTE_ADDR="10.0.1.{}") == [200] * most + [429]


def test_the_addresses_of_one_customer_count_as_one(client: Client, user: User) -> None:
    most = MAX_TRIES["name and address"]

    assert tries(client, most + 1, REMOTE_ADDR="2001:db8::{}") == [200] * most + [429]


def test_what_a_stranger_says_of_his_address_does_not_count(client: Client, user: User) -> None:
    most = MAX_TRIES["name and address"]

    assert tries(client, most + 1, HTTP_X_FORWARDED_FOR="10.0.2.{}") == [200] * most + [429]


def test_a_redis_that_hangs_refuses_kindly(client: Client, user: User, settings: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        there = settings.CACHES["default"]
        options = {"socket_timeout": 0.1, "socket_connect_timeout": 0.1}
        address = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        settings.CACHES = {"default": there | {"LOCATION": address, "OPTIONS": options}}
        response = client.post("/login", {"username": "ada", "password": "difference engine"})

    assert response.status_code == 503
    assert "Redis does not answer" in response.content.decode()


def test_the_first_user_is_made_once() -> None:
    name, password = services.ensure_first_user()
    again = services.ensure_first_user()

    assert password
    assert again == (name, None)


def test_pages_carry_a_content_security_policy(client: Client) -> None:
    response = client.get("/login")

    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


def test_sign_ins_that_have_expired_are_forgotten(user: User) -> None:
    expired, valid = Client(), Client()
    for browser in (expired, valid):
        browser.force_login(user)
    Session.objects.filter(session_key=expired.session.session_key).update(expire_date=now() - timedelta(seconds=1))

    delete_old_sessions()

    assert [each.session_key for each in Session.objects.all()] == [valid.session.session_key]
