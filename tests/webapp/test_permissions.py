"""Permissions hold: for each route, socket and command, each role, and the project of other people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import Group
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.http import HttpRequest, HttpResponse
from django.test import Client

from designer.projects.models import Grant, Project, Topology, Version
from designer.projects.permissions import PLACES, find_administrators, find_roles
from designer.projects.projects import get_default_project
from designer.projects.roles import OPERATOR, SERVER, VIEWER, Need, Role
from designer.projects.routing import ROUTES, Router, strip_converters
from designer.projects.services import create_topology, create_version
from runner.control.clusters.services import get_local_cluster
from runner.control.jobs.command import JobCommand
from runner.control.jobs.models import Job
from runner.watch.routing import CONSUMERS
from runner.watch.sockets.viewer import NOT_FOUND, NOT_PERMITTED, NOT_SIGNED_IN
from tests.people import person
from webapp.accounts.models import User
from webapp.accounts.permissions import to_template
from webapp.api import api
from webapp.urls import urlpatterns

pytestmark = pytest.mark.django_db

HTTP = {row: route.needs for row, route in ROUTES.items()}
SOCKETS = {consumer.address: consumer.needs for consumer in CONSUMERS}
OURS = {
    name: load_command_class(app, name)
    for name, app in get_commands().items()
    if isinstance(app, str) and app.split(".")[0] in ("webapp", "runner", "designer")
}
REACHED = 299
ROLES = [None, Role.VIEWER, Role.EDITOR, Role.OPERATOR, Role.ADMINISTRATOR, Role.PRODUCT]
NOT_ALLOWED, NOT_THERE = 403, 404


class Reached:
    """The last middleware: what comes so far would be executed."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer: HttpResponse = self.get_response(request)
        return answer

    def process_view(self, *args: Any) -> HttpResponse:
        return HttpResponse(status=REACHED)


@dataclass
class Place:
    """A project with one of each thing that lies in one."""

    project: Project
    topology: Topology
    version: Version
    job: Job

    def named(self, name: str) -> Any:
        """What a request says to name it, or something in it; anything where the name says nothing of projects."""
        if name in PLACES and name != "project":
            return getattr(self, PLACES[name][0]).pk
        return 1 if name.endswith("_id") or name in {"number", "batch"} else self.project.name


@pytest.fixture
def places() -> tuple[Place, Place]:
    """The project whose people ask, and one of other people."""
    return place("ours"), place("theirs")


def place(name: str) -> Place:
    owner = User.objects.create(username=f"owner-of-{name}")
    project = Project.objects.create(name=name)
    topology = create_topology(name=name, by=owner, project=project)
    version = create_version(topology=topology, by=owner)
    job = Job.objects.create(
        name=name,
        application_id=name,
        topology=topology,
        version=version,
        cluster=get_local_cluster(),
        created_by_id=owner.pk,
        updated_by_id=owner.pk,
    )
    return Place(project, topology, version, job)


@pytest.fixture
def askers(places: tuple[Place, Place]) -> dict[Role | None, User]:
    """One of each role in the first project."""
    people = {role: User.objects.create(username=role.word if role else "nobody") for role in ROLES}
    for role, user in people.items():
        if role is Role.PRODUCT:
            User.objects.filter(pk=user.pk).update(is_superuser=True)
        elif role is not None:
            Grant.objects.create(project=places[0].project, user=user, role=role)
    return {role: User.objects.get(pk=user.pk) for role, user in people.items()}


def expected(need: Need | None, role: Role | None, *, is_foreign: bool) -> int:
    """What the table means, said once more."""
    if need is None or need.role is None:
        return REACHED
    if need.is_anywhere:
        return REACHED if role is not None and role >= need.role else NOT_ALLOWED
    if role is None or (is_foreign and role is not Role.PRODUCT):
        return NOT_THERE
    return REACHED if role >= need.role else NOT_ALLOWED


def requests_of(row: str, need: Need | None, place: Place) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each way to name the place: method, address and body."""
    method, template = row.split()
    address = "/api" + re.sub(r"{(\w+)}", lambda part: str(place.named(part[1])), template)
    for name in (need.by if need else ()) or (None,):
        yield method, address, {name: place.named(name)} if name else {}
        if name:
            yield method, f"{address}?{name}={place.named(name)}", {}


@pytest.mark.parametrize("role", ROLES)
def test_a_route_is_reached_by_whom_the_table_allows(
    role: Role | None, places: tuple[Place, Place], askers: dict[Role | None, User], settings: Any
) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.Reached"]
    client, wrong = Client(), []
    client.force_login(askers[role])
    for row, need in HTTP.items():
        for where in places:
            for method, address, body in requests_of(row, need, where):
                answer = client.generic(method, address, json.dumps(body), "application/json")
                wanted = expected(need, role, is_foreign=where is not places[0])
                if answer.status_code != wanted:
                    wrong.append((row, where.project.name, address, body, answer.status_code, wanted))

    assert wrong == []


def test_a_stranger_reaches_what_is_public(places: tuple[Place, Place], settings: Any) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.Reached"]
    for row, need in HTTP.items():
        (method, address, _), *_ = requests_of(row, need, places[0])

        assert Client().generic(method, address).status_code == (401 if need else REACHED), row


def test_every_route_says_what_it_needs() -> None:
    operations = {
        strip_converters(f"{method} {path}")
        for _, router in api._routers
        for path, view in router.path_operations.items()
        for operation in view.operations
        for method in operation.methods
    }
    described = {"GET /", "GET /openapi.json"}

    assert operations | described == set(ROUTES)
    assert {to_template(f"/{each.pattern}") for each in api.urls[0]} == {row.split()[1] for row in ROUTES}
    assert all(isinstance(router, Router) for prefix, router in api._routers if router.path_operations)


def test_a_route_that_says_nothing_cannot_be_declared() -> None:
    with pytest.raises(TypeError, match="needs"):
        Router().get("/nothing")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="changes something, so it names what the audit says"):
        Router().post("/nothing", needs=OPERATOR)
    with pytest.raises(TypeError, match="changes nothing"):
        Router().post("/nothing", needs=VIEWER, audit="look")

    assert not any(row.endswith("/nothing") for row in ROUTES)


def test_each_row_says_in_which_project() -> None:
    for row, need in (HTTP | SOCKETS).items():
        named = set(re.findall(r"{(\w+)}", row)) | set(need.by if need else ())
        says = named & PLACES.keys()
        assert need is None or need.role is None or need.is_anywhere or says, f"{row} names no project"
        is_anywhere = need is not None and need.is_anywhere and need.role is not Role.PRODUCT
        assert not (says and is_anywhere), f"{row} names a project, and asks for a role anywhere"


def test_a_route_without_a_row_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.force_login(User.objects.create_superuser("root", password="difference engine"))
    monkeypatch.delitem(ROUTES, "GET /gallery")
    monkeypatch.delitem(ROUTES, "POST /topologies")

    unknown, unlisted = client.get("/api/gallery"), client.post("/api/topologies")

    assert (unknown.status_code, unknown.json()["code"]) == (403, "rights.unknown")
    assert (unlisted.status_code, unlisted.headers["Allow"]) == (405, "GET")


def test_nothing_but_pages_stands_beside_the_api() -> None:
    beside = {str(each.pattern) for each in urlpatterns} - {"api/"}

    pages = {r"^docs(?:/(?P<name>.*))?$", r"^(?!api/|static/|ws/).*$"}
    signing_in = {"login", "login/provider", "login/provider/callback", "logout", "enter"}
    assert beside == signing_in | {"health", "metrics", "shared"} | pages


@pytest.mark.django_db(transaction=True)  # what a socket asks ends the connection
@pytest.mark.parametrize("consumer", CONSUMERS)
def test_a_socket_is_opened_to_whom_the_table_allows(
    consumer: Any, places: tuple[Place, Place], askers: dict[Role | None, User]
) -> None:
    need = SOCKETS[consumer.address]
    codes = {REACHED: None, NOT_ALLOWED: NOT_PERMITTED, NOT_THERE: NOT_FOUND}
    for role, user in askers.items():
        for where in places:
            socket = consumer()
            kwargs = {name: str(where.named(name)) for name in re.findall(r"{(\w+)}", consumer.address)}
            socket.scope = {"user": user, "url_route": {"kwargs": kwargs}}

            code = async_to_sync(socket.explain_refusal)()

            assert code == codes[expected(need, role, is_foreign=where is not places[0])], (role, where.project)
    socket.scope["user"] = None
    assert async_to_sync(socket.explain_refusal)() == NOT_SIGNED_IN


ACTING = [name for name, command in OURS.items() if getattr(command, "needs", SERVER) is not SERVER]


def test_every_socket_and_command_says_what_it_needs() -> None:
    assert all(isinstance(need, Need) for need in SOCKETS.values())
    assert [name for name, command in OURS.items() if not hasattr(command, "needs")] == []
    assert {name for name, command in OURS.items() if isinstance(command, JobCommand)} - {"try"} == set(ACTING)


@pytest.mark.parametrize("name", ACTING)
def test_a_command_is_carried_out_for_whom_the_table_allows(
    name: str,
    places: tuple[Place, Place],
    askers: dict[Role | None, User],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    need, reached = getattr(OURS[name], "needs"), []  # noqa: B009  (BaseCommand has none)
    monkeypatch.setattr(type(OURS[name]), "act", lambda self, **options: reached.append(options["by"]))
    for where in places:
        file = tmp_path / f"{where.topology.slug}.json"
        file.write_text("{}")
        words = {
            "diff": [where.topology.slug, "1"],
            "why": [where.topology.slug, "late"],
            "case": [where.topology.slug, "late", "orders-0@1"],
            "adopt": [where.topology.slug, "app"],
            "import": [str(file)],
            "deploy-sample": [],
            "hosts": [],
            "alerts": [],
        }
        for role, user in askers.items():
            reached.clear()
            try:
                call_command(name, *words.get(name, [where.topology.slug]), by=user.username)
                status = REACHED
            except CommandError as error:
                status = NOT_ALLOWED if "can do this" in str(error) else NOT_THERE

            is_foreign = where is not places[0] or name == "deploy-sample"  # whose project is `default`
            wanted = expected(need, role, is_foreign=is_foreign)
            assert (status, bool(reached)) == (wanted, wanted == REACHED), (name, role, where.project)


def test_lists_hold_what_one_may_see(places: tuple[Place, Place], askers: dict[Role | None, User]) -> None:
    def seen(user: User) -> list[list[str]]:
        client = Client()
        client.force_login(user)
        topologies, jobs, clusters = (client.get(f"/api/{path}").json() for path in ("topologies", "jobs", "clusters"))
        of_clusters = [job for each in clusters.get("clusters", ()) for job in each["jobs"]]
        return [[each["name"] for each in topologies], [each["name"] for each in jobs], of_clusters]

    assert seen(askers[Role.VIEWER]) == [["ours"]] * 3
    assert seen(askers[Role.PRODUCT]) == [["ours", "theirs"]] * 3
    assert seen(askers[None]) == [[], [], []]


def test_a_refusal_says_whom_to_ask(
    client: Client, places: tuple[Place, Place], askers: dict[Role | None, User]
) -> None:
    client.force_login(askers[Role.EDITOR])

    stopped = client.post(f"/api/jobs/{places[0].job.id}/stop").json()
    listed = client.delete("/api/clusters/local").json()

    assert stopped["message"] == "Only an operator of the project `ours` can do this, and you are an editor there."
    assert stopped["hint"] == "Ask administrator to make you one."
    assert (listed["message"], listed["hint"]) == (
        "Only a product administrator can do this.",
        "Ask product administrator to make you one.",
    )


def test_a_role_of_a_group_is_one_of_its_members_and_the_highest_counts() -> None:
    user = person("ada", Role.VIEWER)
    team = Group.objects.create(name="team")
    Grant.objects.create(project=get_default_project(), group=team, role=Role.OPERATOR)
    before = find_roles(user)

    user.groups.add(team)

    assert (before, find_roles(user)) == (
        {get_default_project().id: Role.VIEWER},
        {get_default_project().id: Role.OPERATOR},
    )


def test_members_of_a_group_are_asked_as_well() -> None:
    team = Group.objects.create(name="team")
    Grant.objects.create(project=get_default_project(), group=team, role=Role.ADMINISTRATOR)
    person("ada", None).groups.add(team)

    assert find_administrators(get_default_project()) == ["ada"]


def test_a_topology_moves_between_projects_that_one_administers(
    client: Client, places: tuple[Place, Place], askers: dict[Role | None, User]
) -> None:
    ours, theirs = places
    client.force_login(askers[Role.ADMINISTRATOR])
    address = f"/api/topologies/{ours.topology.id}/project"
    refused = client.put(address, {"project": "theirs"}, "application/json")
    Grant.objects.create(project=theirs.project, user=askers[Role.ADMINISTRATOR], role=Role.ADMINISTRATOR)

    moved = client.put(address, {"project": "theirs"}, "application/json")

    assert (refused.status_code, moved.status_code) == (404, 200)
    assert moved.json()["project"] == "theirs"


@pytest.mark.parametrize("sent", ["1.0", "true", '" {id}"', '"{id}.0"', "[{id}]", '{{"id": {id}}}', '"٣"', "-{id}"])
def test_what_another_parser_may_take_for_a_number_names_nothing(
    sent: str, client: Client, places: tuple[Place, Place], askers: dict[Role | None, User]
) -> None:
    client.force_login(askers[Role.ADMINISTRATOR])
    body = f'{{"topology": {sent.format(id=places[1].topology.id)}}}'

    answer = client.post("/api/jobs/deploy", body, "application/json")

    assert answer.status_code == 404


@pytest.mark.parametrize("project", ["a\0", "\ud800", "nowhere", 7, ["ours"], {"name": "ours"}])
def test_what_names_no_project_is_not_found(
    project: Any, client: Client, places: tuple[Place, Place], askers: dict[Role | None, User]
) -> None:
    client.force_login(askers[Role.ADMINISTRATOR])

    answer = client.post("/api/topologies", {"name": "Orders", "project": project}, "application/json")

    assert answer.status_code == 404


def test_what_one_may_do_is_one_answer(
    client: Client, places: tuple[Place, Place], askers: dict[Role | None, User]
) -> None:
    client.force_login(askers[Role.EDITOR])

    rights = client.get("/api/rights").json()

    assert rights == {
        "user": "editor",
        "has_password": True,
        "provider": "",
        "is_product_administrator": False,
        "may_change_clusters": False,
        "why_not_clusters": "Only a product administrator can do this. Ask product administrator to make you one.",
        "projects": [
            {
                "name": "ours",
                "role": "editor",
                "why_not": {
                    role: f"Only an {role} of the project `ours` can do this, and you are an editor there. "
                    "Ask administrator to make you one."
                    for role in ("operator", "administrator")
                },
            },
        ],
        "why_not": {
            role: f"Only an {role} of a project can do this. Ask product administrator to make you one."
            for role in ("operator", "administrator")
        },
    }
