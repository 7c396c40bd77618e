"""Deploying, stopping and the like, through the HTTP API."""

from typing import Any

import pytest
from confluent_kafka import Producer
from django.db import ProgrammingError, transaction
from django.test import Client

from designer.projects.services import create_topology
from runner.control.jobs.models import Job, JobEvent

from .conftest import ORDER, Stage, edge, node


def test_a_deploy_wants_the_job_running_and_is_recorded_with_who_and_when(stage: Stage) -> None:
    job = stage.deploy(stage.topology())

    assert (job["name"], job["desired"], job["status"]) == (stage.name, "running", "starting")
    (event,) = stage.client.get(f"/api/jobs/{job['id']}/events").json()
    assert (event["what"], event["by"]) == ("deploy", "ada")
    assert event["before"]["desired"] == "stopped"
    assert event["after"]["desired"] == "running"


def test_a_reconcile_begins_the_run_with_a_plan_and_makes_the_topics(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())

    reconcile(stage)

    plan = stage.run().read_plan()
    assert (plan.epoch, plan.generation, plan.tasks) == (1, 1, [2])
    assert plan.topics[stage.orders].id == stage.cluster.topic(stage.orders).id
    assert plan.topics[stage.orders].start == [-2, -2]
    made = stage.cluster.find([f"{stage.name}-counts", f"{stage.name}-dead-letters", "streamwright-markers"])
    assert made[f"{stage.name}-counts"].partitions == 2
    assert len(made) == 3


def test_the_first_deploy_fixes_the_application_id(stage: Stage) -> None:
    topology = stage.topology()
    change = f"/api/topologies/{topology.id}"

    chosen = stage.client.patch(change, {"slug": f"{stage.name}-eu"}, content_type="application/json").json()
    job = stage.deploy(topology)
    renamed = stage.client.patch(change, {"name": "Another"}, content_type="application/json").json()
    refused = stage.client.patch(change, {"slug": "another"}, content_type="application/json")

    assert chosen["slug"] == renamed["slug"] == job["application_id"] == f"{stage.name}-eu"
    assert refused.json()["message"] == f"The id of `Another` is fixed as `{stage.name}-eu`."


def test_a_prefix_begins_the_kafka_names_of_a_new_job(stage: Stage, host: str, reconcile: Any, settings: Any) -> None:
    settings.PREFIX = "team-a-"
    topology = stage.topology()

    job = stage.deploy(topology)
    reconcile(stage)
    settings.PREFIX = "team-b-"
    again = stage.deploy(topology, settings={"batch_interval_ms": 500})

    plan = stage.run().read_plan()
    assert job["application_id"] == again["application_id"] == plan.application_id == f"team-a-{stage.name}"
    assert plan.dead_letter_topic == f"team-a-{stage.name}-dead-letters"
    assert plan.marker_topic == "team-a-streamwright-markers"
    assert job["name"] == stage.name


def test_the_name_of_a_job_of_another_topology_is_refused_whatever_the_prefix_is(stage: Stage, settings: Any) -> None:
    stage.deploy(stage.topology(), name=f"{stage.name}-eu")
    settings.PREFIX = "team-b-"
    other = create_topology(name=f"{stage.name}-eu", by=stage.user, graph=stage.counting())

    refused = stage.deploy(other, expect=409)

    assert refused["message"] == "Another topology has a job of this name."


def test_a_name_that_makes_no_id_is_not_taken_for_the_job_with_the_id_of_the_topology(stage: Stage) -> None:
    topology = stage.topology()
    job = stage.deploy(topology)

    refused = stage.deploy(topology, expect=409, name="注文")

    assert "`注文` has no letter from a to z and no digit" in refused["message"]
    assert stage.job().revision == 1
    assert stage.deploy(topology, name="注文 2")["id"] != job["id"]


def test_a_source_without_a_declared_type_gets_the_schema_its_messages_show(
    stage: Stage, host: str, reconcile: Any
) -> None:
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    producer.produce(stage.orders, b'{"id": 1, "amount": 2.5}', key=b"a")
    producer.flush()
    graph = stage.counting(key_type=None, value_type=None)

    stage.deploy(stage.topology(graph))
    reconcile(stage)

    inferred = stage.run().read_plan().schemas["orders"]
    assert [field["name"] for field in inferred["value"]["type"]["fields"]] == ["id", "amount"]


def test_a_missing_topic_is_refused_before_anything_is_stopped(stage: Stage) -> None:
    topology = stage.topology(stage.counting(topic="nowhere"))

    refusal = stage.deploy(topology, expect=422)

    assert refusal["code"] == "topic.missing"
    assert refusal["message"].startswith("Topic `nowhere` does not exist on cluster `local`")
    assert refusal["node"] == "orders"


def test_no_job_writes_to_the_markers_or_to_topics_of_kafka(stage: Stage) -> None:
    why = "`{}` is an internal topic: records of a job in it would break others."
    graph = stage.counting()
    graph["nodes"][-1]["config"]["topic"] = "streamwright-markers"
    topology = stage.topology(graph)

    by_its_sink = stage.deploy(topology, expect=400)
    topology = stage.redraw(topology, stage.counting())
    by_its_setting = stage.deploy(topology, expect=400, settings={"dead_letter_topic": "__transaction_state"})

    assert by_its_sink["message"] == why.format("streamwright-markers")
    assert by_its_setting["message"] == why.format("__transaction_state")
    assert not Job.objects.exists()


def test_a_topology_with_issues_is_refused_with_each_on_its_node(stage: Stage) -> None:
    graph = stage.counting()
    graph["nodes"].append(node("kept", "filter", predicate="amout > 1"))
    graph["nodes"].append(node("rest", "to", topic="rest"))
    graph["edges"] += [edge("orders", "kept", "records"), edge("kept", "rest")]

    refusal = stage.deploy(stage.topology(graph), expect=422)

    assert refusal["code"] == "topology.has_issues"
    assert [issue["node"] for issue in refusal["issues"]] == ["kept"]


def test_a_setting_out_of_range_is_named(stage: Stage) -> None:
    refusal = stage.deploy(stage.topology(), expect=422, settings={"memory_mb": 1})

    assert refusal["code"] == "job.bad_settings"
    assert "memory_mb" in refusal["message"]
    assert refusal["hint"] == "Heap of the run's Java process, in MiB."


@pytest.mark.parametrize("name", ["exactly_once", "exactly_once_v2", "exactly_once_beta"])
def test_the_guarantee_goes_by_each_name_that_kafka_streams_gave_it(stage: Stage, name: str) -> None:
    job = stage.deploy(stage.topology(), settings={"guarantee": name})

    assert job["settings"]["guarantee"] == "exactly_once"


def test_a_guarantee_that_nobody_gives_is_refused(stage: Stage) -> None:
    refusal = stage.deploy(stage.topology(), expect=422, settings={"guarantee": ["exactly_once_v2"]})

    assert refusal["setting"] == "guarantee"
    assert refusal["message"] == "Guarantee (`guarantee`) must be `exactly_once` or `at_least_once`."


def test_a_setting_that_is_unknown_is_told_those_there_are(stage: Stage) -> None:
    refusal = stage.deploy(stage.topology(), expect=422, settings={"memory": 1})

    assert "`memory`" in refusal["message"]
    assert "memory_mb" in refusal["hint"]


def test_deploying_what_already_runs_changes_nothing(stage: Stage, host: str, reconcile: Any) -> None:
    topology = stage.topology()
    job = stage.deploy(topology)
    reconcile(stage)

    again = stage.deploy(topology)

    assert again["run"] == stage.run().id
    assert stage.run().stop_reason == ""
    assert len(stage.client.get(f"/api/jobs/{job['id']}/events").json()) == 1


def test_a_version_with_other_notes_and_colours_only_leaves_its_run_alone(
    stage: Stage, host: str, reconcile: Any
) -> None:
    topology = stage.topology()
    stage.deploy(topology)
    reconcile(stage)
    before = stage.run()
    graph = stage.counting() | {"notes": [{"id": "#a", "kind": "note", "text": "Orders of each country"}]}
    graph["nodes"][0]["colour"] = "green"

    job = stage.deploy(stage.redraw(topology, graph))
    reconcile(stage)

    after = stage.run()
    assert job["version_number"] == 2
    assert (after.id, after.stop_reason, after.version.number) == (before.id, "", 2)
    assert [event.what for event in JobEvent.objects.filter(job=after.job)] == ["deploy", "deploy"]


def test_a_stop_asks_the_live_run_at_once_and_is_recorded(stage: Stage, host: str, reconcile: Any) -> None:
    job = stage.deploy(stage.topology())
    reconcile(stage)

    answer = stage.client.post(f"/api/jobs/{job['id']}/stop")

    assert answer.status_code == 202
    assert stage.run().stop_reason == "stopped"
    events = stage.client.get(f"/api/jobs/{job['id']}/events").json()
    assert [event["what"] for event in events] == ["stop", "deploy"]


def test_without_an_agent_the_job_says_so_and_starts_when_one_comes(
    stage: Stage, reconcile: Any, request: pytest.FixtureRequest
) -> None:
    job = stage.deploy(stage.topology())
    reconcile(stage)
    problem = stage.client.get(f"/api/jobs/{job['id']}").json()["problem"]
    assert problem["code"] == "agent.missing"

    request.getfixturevalue("host")
    reconcile(stage)

    assert stage.run().status == "starting"
    assert stage.client.get(f"/api/jobs/{job['id']}").json()["problem"] is None


def test_a_job_whose_topic_was_recreated_is_blocked_with_the_reason(stage: Stage, host: str, reconcile: Any) -> None:
    from runner.control.jobs.lifecycle import move
    from runner.control.jobs.statuses import Status

    job = stage.deploy(stage.topology())
    reconcile(stage)
    move(stage.run(), Status.FAILED, failure={"code": "x", "message": "x", "retriable": False})
    admin = stage.cluster.admin
    admin.delete_topics([stage.orders])[stage.orders].result()
    while stage.orders in stage.cluster.find([stage.orders]):
        pass
    stage.cluster.create(stage.orders, 2)

    stage.client.post(f"/api/jobs/{job['id']}/restart")
    reconcile(stage)

    found = stage.client.get(f"/api/jobs/{job['id']}").json()
    assert (found["status"], found["problem"]["code"]) == ("failed", "topic.recreated")


def test_events_can_be_neither_changed_nor_deleted(stage: Stage) -> None:
    stage.deploy(stage.topology())

    for change in (lambda: JobEvent.objects.update(what="nothing"), lambda: JobEvent.objects.all().delete()):
        with pytest.raises(ProgrammingError, match="never changed or deleted"), transaction.atomic():
            change()


@pytest.mark.parametrize(
    "path",
    [
        "/api/jobs",
        "/api/live",
        "/api/jobs/1/live",
        "/api/jobs/1/history",
        "/api/jobs/1/disk",
        "/api/jobs/1/engines",
        "/api/clusters",
        "/api/jobs/settings-schema",
    ],
)
def test_nothing_is_shown_without_a_login(path: str, transactional_db: None) -> None:
    assert Client().get(path).status_code == 401


@pytest.mark.parametrize("path", ["/api/jobs/deploy", "/api/jobs/1/stop", "/api/jobs/1/restart"])
def test_nothing_is_done_without_a_login(path: str, transactional_db: None) -> None:
    assert Client().post(path, {}, "application/json").status_code == 401


def test_a_topic_shows_its_newest_messages_and_the_schema_they_have(stage: Stage) -> None:
    producer = Producer({"bootstrap.servers": stage.cluster.servers})
    producer.produce(stage.orders, b'{"id": 7}', key=b"a", headers=[("trace", b"\xff\xfe")])
    producer.flush()

    sample = stage.client.get(f"/api/clusters/local/topics/{stage.orders}").json()

    assert sample["topic"]["partitions"] == 2
    assert (sample["cleanup"], sample["retention_ms"]) == (["delete"], None), "the broker of the tests keeps all"
    assert [(message["key"], message["value"]) for message in sample["messages"]] == [("a", '{"id": 7}')]
    header = {"key": "trace", "value": "//4=", "is_value_base64": True, "is_value_cut": False, "value_bytes": 2}
    assert sample["messages"][0]["headers"] == [header]
    assert sample["inferred"]["value"]["type"] == ORDER


def test_each_setting_has_a_default_and_a_line_of_help(stage: Stage) -> None:
    schema = stage.client.get("/api/jobs/settings-schema").json()

    for name, setting in schema["properties"].items():
        assert "default" in setting, name
        assert setting["description"], name
    assert schema["properties"]["slots"] | {"description": ""} == {
        "title": "Slots",
        "type": "integer",
        "minimum": 0,
        "maximum": 256,
        "default": 0,
        "default_means": "automatic",
        "description": "",
    }


def test_the_memory_limit_says_why_there_is_none_and_what_does_not_count(stage: Stage) -> None:
    settings = stage.client.get("/api/jobs/settings-schema").json()["properties"]

    assert "0: no limit." in settings["memory_limit_mb"]["description"]
    assert "State files do not count" in settings["memory_limit_mb"]["description"]


def test_an_unknown_job_is_refused_as_such(stage: Stage) -> None:
    for call in ("", "/live", "/history", "/runs", "/events", "/disk", "/engines"):
        answer = stage.client.get(f"/api/jobs/999999{call}")
        assert answer.status_code == 404
        assert answer.json()["message"] == "There is no job 999999."


def test_a_topic_is_made_as_one_wants_it(stage: Stage) -> None:
    path, name = "/api/clusters/local/topics", f"{stage.name}-rows"
    wanted = {"name": name, "partitions": 3, "cleanup": "compact", "replication": 1}

    made = stage.client.post(path, wanted, "application/json")

    assert (made.status_code, made.json()["partitions"]) == (201, 3)
    assert stage.cluster.configs(name)["cleanup.policy"] == "compact"
    again = stage.client.post(path, wanted, "application/json")
    assert (again.status_code, again.json()["code"]) == (409, "conflict")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"name": "no/slash"}, "name"),
        ({"partitions": 0}, "partitions"),
        ({"cleanup": "burn"}, "cleanup"),
        ({"replication": 2}, "eplication"),
    ],
)
def test_a_topic_that_cannot_be_made_is_refused_with_the_reason(stage: Stage, wrong: dict[str, Any], why: str) -> None:
    wanted = {"name": f"{stage.name}-rows", **wrong}

    refusal = stage.client.post("/api/clusters/local/topics", wanted, "application/json")

    assert refusal.status_code in (400, 422)
    assert why in refusal.json()["message"]


@pytest.mark.parametrize(
    ("quota", "wanted", "message"),
    [
        (
            "MAX_MEMORY_MB",
            {"memory_mb": 2_048},
            "This server limits the heap of a job, in MiB, to 1; this needs 2,048.",
        ),
        ("MAX_SLOTS", {"slots": 2}, "This server limits the slots of a job to 1; this needs 2."),
        ("MAX_PARTITIONS", {"tasks": 3}, "This server limits the partitions of a topic to 1; this needs 3."),
    ],
)
def test_a_deploy_above_a_quota_is_refused(
    stage: Stage, settings: Any, quota: str, wanted: dict[str, Any], message: str
) -> None:
    settings.QUOTAS = settings.QUOTAS | {quota: 1}

    refusal = stage.deploy(stage.topology(), expect=403, settings=wanted)

    assert (refusal["code"], refusal["message"]) == ("quota.exceeded", message)
    assert refusal["hint"] == f"Choose a lower value, or ask an administrator to raise STREAMWRIGHT_{quota}."


def test_a_user_keeps_only_so_many_jobs_running(stage: Stage, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"MAX_JOBS_PER_USER": 1}
    topology = stage.topology()
    first = stage.deploy(topology)

    refusal = stage.deploy(topology, expect=403, name=f"{stage.name}-2")
    again = stage.deploy(topology, settings={"batch_interval_ms": 500})

    assert refusal["message"] == "This server limits the running jobs of a user to 1; this needs 2."
    assert again["id"] == first["id"]


def test_nobody_makes_the_topic_of_markers_as_they_like(stage: Stage) -> None:
    stage.user.is_superuser = False
    stage.user.save()

    answer = stage.client.post(
        "/api/clusters/local/topics", {"name": "new-streamwright-markers", "partitions": 1}, "application/json"
    )

    assert answer.status_code == 403
    assert stage.cluster.find(["new-streamwright-markers"]) == {}


def test_a_topic_above_the_quota_is_not_made(stage: Stage, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"MAX_PARTITIONS": 2}
    wanted = {"name": f"{stage.name}-rows", "partitions": 3}

    refusal = stage.client.post("/api/clusters/local/topics", wanted, "application/json").json()

    assert refusal["code"] == "quota.exceeded"
