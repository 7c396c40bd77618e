"""Breakpoints on a job whose batches are executed as its run does, with real topics and state."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.test import Client

from designer.projects.models import Grant
from designer.projects.roles import Role
from runner.watch.breakpoints.models import Breakpoint, find_hits
from runner.watch.past import tasks
from tests.runner.watch.proving.test_prove import Runner, runner, topology

__all__ = ["runner", "topology"]


def set_breakpoint(client: Client, runner: Runner, condition: str, **more: Any) -> Any:
    body = {"node": "large", "port": "result", "condition": condition, **more}
    return client.post(f"/api/jobs/{runner.job.id}/breakpoints", body, content_type="application/json")


def list_breakpoints(client: Client, runner: Runner) -> Any:
    return client.get(f"/api/jobs/{runner.job.id}/breakpoints").json()


def test_a_breakpoint_finds_the_first_record_of_new_batches_and_pins_its_batch(runner: Runner, client: Client) -> None:
    made = set_breakpoint(client, runner, "amount > 25", alerts=True)
    tasks.look()
    (nothing_new,) = list_breakpoints(client, runner)
    runner.run(4, {"ann": 1})
    runner.run(5, {"bob": 26, "eve": 3})
    runner.run(6, {"eve": 99})
    tasks.look()
    (hit,) = list_breakpoints(client, runner)
    pins = client.get(f"/api/jobs/{runner.job.id}/pins").json()["pins"]
    alerts = find_hits()
    tasks.look()
    removed = client.delete(f"/api/jobs/{runner.job.id}/breakpoints/{hit['id']}")

    assert made.status_code == 201
    assert (nothing_new["looked_at"], nothing_new["hit"]) == (3, None)
    assert (hit["hit"]["batch"], hit["hit"]["origin"]["offset"], hit["failure"]) == (5, 7, "")
    assert hit["hit"]["record"]["value"] == '{"amount":26}'
    assert [(pin["batch"], pin["note"]) for pin in pins] == [(5, "`amount > 25` at large")]
    assert alerts == {runner.job.id: [{"node": "large", "condition": "amount > 25", "batch": 5}]}
    assert (removed.status_code, list_breakpoints(client, runner), find_hits()) == (204, [], {})


def test_a_breakpoint_without_a_hit_goes_on_behind_the_job(runner: Runner, client: Client) -> None:
    set_breakpoint(client, runner, "amount < 0")
    for number in (4, 5):
        runner.run(number, {"ann": number})
        tasks.look()
        assert list_breakpoints(client, runner)[0]["looked_at"] == number

    assert list_breakpoints(client, runner)[0]["hit"] is None


def test_a_breakpoint_says_why_it_is_no_longer_looked_for(runner: Runner, client: Client) -> None:
    set_breakpoint(client, runner, "amount < 0")
    Breakpoint.objects.update(condition="nothing < 0")
    runner.run(4, {"ann": 1})
    tasks.look()

    assert "The condition is not right" in list_breakpoints(client, runner)[0]["failure"]


def test_a_breakpoint_ends_when_its_user_loses_the_role(runner: Runner, client: Client) -> None:
    set_breakpoint(client, runner, "amount > 25")
    Grant.objects.update(role=Role.VIEWER)
    runner.run(4, {"ann": 26})
    tasks.look()

    (found,) = list_breakpoints(client, runner)
    assert (found["hit"], found["failure"].partition(".")[0]) == (None, "It ended, because ada may no longer do this")


def test_a_breakpoint_that_is_removed_while_it_is_looked_for_keeps_no_other_one_waiting(
    runner: Runner, client: Client
) -> None:
    for condition in ("amount < 0", "amount < 1"):
        set_breakpoint(client, runner, condition)
    Breakpoint.objects.update(condition="nothing < 0")
    runner.run(4, {"ann": 1})
    first, second = Breakpoint.objects.order_by("looked_at", "id")

    def remove_first(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """As another process does it, just before the failure is noted."""
        if sql.startswith("UPDATE") and "breakpoint" in sql:
            Breakpoint.objects.filter(id=first.id).delete()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(remove_first):
        tasks.look()

    second.refresh_from_db()
    assert "The condition is not right" in second.failure


def test_a_wrong_condition_is_refused(runner: Runner, client: Client) -> None:
    wrong = set_breakpoint(client, runner, "amount <")
    unknown = client.post(
        f"/api/jobs/{runner.job.id}/breakpoints",
        {"node": "nowhere", "port": "result", "condition": "true"},
        content_type="application/json",
    )
    missing = client.delete(f"/api/jobs/{runner.job.id}/breakpoints/{10**6}")

    assert (wrong.status_code, wrong.json()["code"]) == (422, "query.refused")
    assert (unknown.status_code, missing.status_code) == (404, 404)
    assert list_breakpoints(client, runner) == []
