"""Alerts over HTTP."""

import json
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from designer.projects.models import Project
from designer.projects.roles import Role
from runner.control.jobs.hosts import get_our_version
from runner.control.jobs.models import AgentHost, Job
from runner.watch.alerts.delivering import send_due
from runner.watch.alerts.kinds import KINDS, AlertKind, Subject
from runner.watch.alerts.models import Alert, Delivery, Rule, Silence
from runner.watch.alerts.services import BEGAN, look, read_limits
from tests.people import person
from tests.runner.watch.alerts.receivers import Hook
from webapp.accounts.models import User

pytestmark = pytest.mark.services


@pytest.fixture
def firing(transactional_db: None, redis_url: str) -> Alert:
    AgentHost.objects.create(name="one", boot_id="b", version=get_our_version(), disk_bytes=100, disk_free_bytes=1)
    look(timezone.now())
    look(timezone.now() + timedelta(seconds=61))
    return Alert.objects.get(kind="disk")


@pytest.fixture(autouse=True)
def permitted(admin: User) -> None:
    """Who asks may change clusters."""


def send(client: Client, method: str, path: str, body: Any = None) -> Any:
    address = f"/api{path}" if path.startswith(("/jobs", "/projects")) else f"/api/alerts{path}"
    return client.generic(method, address, "" if body is None else json.dumps(body))


def test_what_fires_is_listed_with_its_sentence(client: Client, firing: Alert) -> None:
    (found,) = [each for each in send(client, "GET", "").json() if each["kind"] == "disk"]

    assert (found["state"], found["where"], found["text"]) == ("firing", "one", "The disk of one is 99 % full.")
    assert send(client, "GET", "?has_ended=true").json() == []


def test_a_rule_of_a_job_wins_over_the_one_for_all(client: Client, job: Job) -> None:
    usual = KINDS[AlertKind.LAG].threshold

    send(client, "PUT", "/rules/lag", {"threshold": 60, "seconds": 30})
    send(client, "PUT", f"/jobs/{job.id}/alert-rules/lag", {"threshold": 5, "is_on": False})

    lag = next(each for each in send(client, "GET", "/rules").json() if each["kind"] == "lag")
    assert (lag["rule"]["threshold"], lag["rule"]["by"], lag["usual"]["threshold"]) == (60, "ada", usual)
    assert [(rule["job_name"], rule["is_on"]) for rule in lag["of_jobs"]] == [(job.name, False)]
    limit_of = read_limits()
    assert (limit_of("lag", Subject(job=job.id)).is_on, limit_of("lag", Subject(job=job.id + 1)).threshold) == (
        False,
        60,
    )

    assert send(client, "DELETE", f"/jobs/{job.id}/alert-rules/lag").status_code == 204
    assert read_limits()("lag", Subject(job=job.id)).threshold == 60
    assert send(client, "DELETE", "/rules/lag").status_code == 204
    assert read_limits()("lag", Subject(job=job.id)).threshold == usual
    assert not Rule.objects.exists()


def test_a_rule_of_a_project_holds_for_its_jobs(client: Client, job: Job) -> None:
    project = job.topology.project.name

    send(client, "PUT", "/rules/lag", {"threshold": 60})
    answer = send(client, "PUT", f"/projects/{project}/alert-rules/lag", {"threshold": 20})

    lag = next(each for each in send(client, "GET", "/rules").json() if each["kind"] == "lag")
    assert (answer.status_code, answer.json()["project"]) == (200, project)
    assert [(rule["project"], rule["job"], rule["threshold"]) for rule in lag["of_projects"]] == [(project, None, 20)]
    assert (lag["of_jobs"], lag["rule"]["threshold"]) == ([], 60)
    limit_of = read_limits()
    assert (limit_of("lag", Subject(job=job.id)).threshold, limit_of("lag", Subject(job=0)).threshold) == (20, 60)

    send(client, "PUT", f"/jobs/{job.id}/alert-rules/lag", {"threshold": 5})
    assert read_limits()("lag", Subject(job=job.id)).threshold == 5
    send(client, "DELETE", f"/jobs/{job.id}/alert-rules/lag")
    assert send(client, "DELETE", f"/projects/{project}/alert-rules/lag").status_code == 204
    assert read_limits()("lag", Subject(job=job.id)).threshold == 60


def test_after_a_minute_without_a_look_the_time_of_a_rule_begins_again(transactional_db: None, redis_url: str) -> None:
    cache.delete(BEGAN)
    now = timezone.now() - timedelta(seconds=400)
    AgentHost.objects.create(name="one", boot_id="b", version=get_our_version(), disk_bytes=100, disk_free_bytes=1)

    def disk_after(seconds: int) -> str:
        look(now + timedelta(seconds=seconds))
        return Alert.objects.get(kind="disk").state

    assert disk_after(0) == "pending"
    cache.delete(BEGAN)  # which Redis does
    assert disk_after(300) == "pending"
    assert disk_after(361) == "firing"


def test_every_kind_has_a_rule_and_sensible_ones_are_on(client: Client, transactional_db: None) -> None:
    rules = send(client, "GET", "/rules").json()

    assert [rule["kind"] for rule in rules] == list(KINDS)
    assert [rule["kind"] for rule in rules if not rule["rule"]["is_on"]] == ["job_memory"]


def test_what_makes_no_sense_is_refused(client: Client, job: Job) -> None:
    def refused(method: str, path: str, body: Any = None) -> tuple[int, str]:
        answer = send(client, method, path, body)
        return answer.status_code, answer.json()["code"]

    assert refused("PUT", "/rules/nothing", {"threshold": 1}) == (404, "not_found")
    assert refused("PUT", f"/jobs/{job.id}/alert-rules/disk", {"threshold": 1}) == (422, "alerts.bad_rule")
    assert refused("PUT", "/projects/default/alert-rules/disk", {"threshold": 1}) == (422, "alerts.bad_rule")
    assert refused("PUT", "/rules/host_gone", {"threshold": 1}) == (422, "alerts.bad_rule"), "it would never fire"
    assert refused("PUT", "/rules/lag", {"threshold": -1}) == (422, "request.malformed")
    assert refused("PUT", "/rules/lag", {"on": False}) == (422, "request.malformed")
    assert refused("POST", "/silences", {"minutes": 0}) == (422, "request.malformed")
    assert refused("POST", "/silences", {"minutes": 5, "kind": "nothing"}) == (404, "not_found")
    assert refused("DELETE", "/silences/1") == (404, "not_found")
    assert refused("DELETE", f"/jobs/{job.id}/silences/1") == (404, "not_found")
    assert refused("POST", "/channels/1/test") == (404, "not_found")


def test_a_silence_is_seen_on_the_alert_until_it_ends(client: Client, firing: Alert) -> None:
    made = send(client, "POST", "/silences", {"host": "one", "minutes": 60, "why": "repair"}).json()

    (alert,) = [each for each in send(client, "GET", "").json() if each["kind"] == "disk"]
    assert alert["silenced_until"] == made["until"]
    assert [(each["by"], each["why"]) for each in send(client, "GET", "/silences").json()] == [("ada", "repair")]

    assert send(client, "DELETE", f"/silences/{made['id']}").status_code == 204
    assert all(each["silenced_until"] is None for each in send(client, "GET", "").json())


def test_only_those_who_may_change_clusters_say_where_messages_go(client: Client, user: User, channel: Any) -> None:
    made, _ = channel
    user.user_permissions.clear()

    answers = [
        send(client, "POST", "/channels", {"name": "x", "form": "slack", "address": "https://1.1.1.1/"}),
        send(client, "DELETE", f"/channels/{made.id}"),
        send(client, "POST", f"/channels/{made.id}/test"),
        send(client, "PUT", "/rules/lag", {"threshold": 1}),
    ]

    assert {(each.status_code, each.json()["code"]) for each in answers} == {(403, "rights.missing")}
    seen = send(client, "GET", "/channels").json()
    assert (seen["may_change"], [each["name"] for each in seen["channels"]]) == (False, ["on call"])


def test_nobody_hears_of_jobs_in_projects_of_others(firing: Alert, job: Job, user: User, channel: Any) -> None:
    now = timezone.now()
    alert = Alert.objects.create(kind="failed", job=job, where=job.name, value=1, threshold=0, since=now)
    Delivery.objects.create(channel=channel[0], alert=alert, what="fired", text="it failed")
    Rule.objects.create(kind="lag", job=job, threshold=1, seconds=0, by=user)
    Rule.objects.create(kind="lag", project=job.topology.project, threshold=1, seconds=0, by=user)
    Silence.objects.create(job=job, until=now + timedelta(hours=1), by=user)

    def hears(name: str, role: Role, project: Project | None) -> tuple[set[str], int, int, int]:
        client = Client()
        client.force_login(person(name, role, project))
        lag = next(each for each in send(client, "GET", "/rules").json() if each["kind"] == "lag")
        kinds = {each["kind"] for each in send(client, "GET", "").json()}
        silences, deliveries = (send(client, "GET", path).json() for path in ("/silences", "/deliveries"))
        return kinds - {"host_gone"}, len(lag["of_jobs"] + lag["of_projects"]), len(silences), len(deliveries)

    assert hears("bea", Role.VIEWER, None) == ({"disk", "failed"}, 2, 1, 1)
    assert hears("cy", Role.ADMINISTRATOR, Project.objects.create(name="other")) == ({"disk"}, 0, 0, 0)


def test_a_channel_is_tried_and_deleted(client: Client, admin: User, hook: Hook, redis_url: str) -> None:
    wanted = {"name": "on call", "form": "webhook", "address": hook.url, "is_internal": True}
    made = send(client, "POST", "/channels", wanted).json()
    again = send(client, "POST", "/channels", wanted)

    assert len(made["key"]) > 30 and again.json()["code"] == "conflict"
    assert send(client, "POST", f"/channels/{made['channel']['id']}/test").status_code == 202
    send_due()
    (told,) = send(client, "GET", "/deliveries").json()
    assert (told["what"], told["state"], told["channel"], told["answer"]) == ("test", "arrived", "on call", "HTTP 200")
    assert "ada tries the channel" in told["text"]

    assert send(client, "DELETE", f"/channels/{made['channel']['id']}").status_code == 204
    assert send(client, "GET", "/deliveries").json() == []


def test_the_command_lists_what_fires(firing: Alert) -> None:
    out = StringIO()

    call_command("alerts", stdout=out)

    assert "The disk of one is 99 % full." in out.getvalue()
