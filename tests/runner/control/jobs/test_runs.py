"""Runs as they live and die: a real agent, real supervisors, a small child instead of Spark."""

import os
import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from confluent_kafka import Producer
from django.conf import settings as django_settings
from django.db import IntegrityError, connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from runner.control.clusters.models import Cluster
from runner.control.hosts.agent import Agent
from runner.control.hosts.run_supervisor import RunSupervisor
from runner.control.jobs import restart_policy
from runner.control.jobs.job_status import find_job_status
from runner.control.jobs.lifecycle import claim, move, renew, take_step
from runner.control.jobs.models import AgentHost, Job, Run
from runner.control.jobs.reconciling import reconcile_job
from runner.control.jobs.runs import start_again
from runner.control.jobs.statuses import LIVE, MOVES, Status
from runner.control.jobs.tasks import reconcile_all
from runner.control.processes import get_this_process, read_boot_id
from runner.kafka import KafkaCluster
from runner.kafka.inquiries import open_transaction
from runner.watch.alerts.kinds import KINDS, AlertKind
from runner.watch.live.fleet import read_fleet
from tests.patience import PATIENCE_SECONDS

from .conftest import AgentProcess, Stage, children_alive, eventually, niceness
from .test_commands import say


def running(stage: Stage, reconcile: Any) -> Run:
    stage.deploy(stage.topology())
    reconcile(stage)
    stage.await_status("running")
    eventually(lambda: stage.run().last_batch is not None, "a batch")
    return stage.run()


def test_a_deployed_job_runs_behind_what_people_touch_and_stops_cleanly(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    run = running(stage, reconcile)
    eventually(lambda: niceness(run.child_pid) in ("10", None), "a run that steps back")
    state = Path(run.connect_plan().state_dir)
    for folder in ("java", read_boot_id()):
        (state / folder).mkdir(parents=True, exist_ok=True)

    stage.client.post(f"/api/jobs/{run.job_id}/stop")
    stage.await_status("stopped")

    run.refresh_from_db()
    assert (run.status, run.stop_reason) == ("stopped", "stopped")
    assert stage.notes("stopped")
    assert run.last_batch == stage.notes("batch")[-1]["batch"]
    assert run.offsets[stage.orders] == [10 * ((run.last_batch or 0) + 1)] * 2
    assert [folder.name for folder in state.iterdir()] == [read_boot_id()]


def test_an_agent_killed_outright_leaves_its_runs_alone_and_the_next_adopts_them(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    run = running(stage, reconcile)

    agent.kill()
    batch = run.last_batch or 0
    agent.start()

    eventually(lambda: (stage.run().last_batch or 0) > batch + 20, "batches going on")
    assert len(stage.notes("started")) == 1
    assert stage.run().id == run.id
    stage.client.post(f"/api/jobs/{run.job_id}/stop")
    stage.await_status("stopped")


def test_an_agent_that_leaves_takes_its_runs_down_cleanly_and_the_next_starts_them_again(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    run = running(stage, reconcile)

    agent.leave()

    run.refresh_from_db()
    assert (run.status, run.stop_reason) == ("stopped", "agent left")
    assert stage.job().desired == "running"
    assert stage.notes("stopped")
    agent.start()
    stage.await_status("running")
    assert stage.run().generation == run.generation + 1


def find_supervisors(run: Run) -> list[int]:
    """The processes that were started to supervise a run."""
    commands = {process.pid: process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])}
    return [pid for pid, words in commands.items() if words[-2:] == ["--run", str(run.id)]]


def test_an_agent_that_leaves_takes_along_a_supervisor_that_has_not_taken_its_run(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    run = stage.run()
    eventually((django_settings.HOME / "logs" / f"run-{run.id}.log").exists, "its supervisor")

    agent.leave()

    assert not find_supervisors(run)
    assert (stage.run().id, stage.run().status, stage.run().pid) == (run.id, "starting", None)
    agent.start()
    stage.await_status("running")


def test_an_agent_waits_while_postgres_takes_no_writes(stage: Stage, agent: AgentProcess, reconcile: Any) -> None:
    """As after a failover, while the agent is still connected to the server that is no longer the first."""
    run = running(stage, reconcile)
    name = connection.settings_dict["NAME"]
    beat = AgentHost.objects.filter(name="here").values_list("beat_at", flat=True)

    def begin_again(how: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f'ALTER DATABASE "{name}" {how}')
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> %s"
            cursor.execute(others, [name, connection.connection.info.backend_pid])

    begin_again("SET default_transaction_read_only = on")
    try:
        eventually(lambda: "read-only" in (django_settings.HOME / "agent.log").read_text(), "a refused write")
    finally:
        begin_again("RESET default_transaction_read_only")
    before = beat.get()

    eventually(lambda: beat.get() > before, "the agent's next beat")
    assert agent.process.poll() is None
    assert stage.run().id == run.id


def test_a_run_whose_supervisor_cannot_be_started_says_why(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    run, agent = stage.run(), Agent(host)
    log = django_settings.HOME / "logs" / f"run-{run.id}.log"
    log.mkdir(parents=True)

    agent.tick()
    agent.ahead.end()
    log.rmdir()

    run.refresh_from_db()
    assert (run.status, (run.failure or {})["code"]) == ("failed", "run.not_taken")
    assert str(log) in (run.failure or {})["message"]
    assert stage.run().generation == run.generation + 1


def test_a_run_of_which_an_agent_understands_nothing_holds_up_no_other(stage: Stage, host: str, reconcile: Any) -> None:
    """As in an upgrade: a host of the new version has stored a plan with a member that the old one lacks."""
    stage.deploy(stage.topology())
    reconcile(stage)
    run, other = stage.run(), stage.job()
    move(run, Status.FAILED, failure={"code": "x", "message": "x", "retriable": True})
    other.pk, other.name, other.application_id = None, "other", "other"
    other.save()
    run.pk, run.job, run.plan = None, other, run.plan | {"a_later_member": 1}
    run.save()
    agent = Agent(host)

    agent.tick()
    agent.ahead.end()

    assert stage.run().generation == 2
    assert other.runs.count() == 1


@contextmanager
def postgres_away() -> Iterator[None]:
    port = connection.settings_dict["PORT"]
    connect_to("1")
    try:
        yield
    finally:
        connect_to(port)


def connect_to(port: str) -> None:
    """Also if a test of this process has imported the server, whose connections are in a pool."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]  # Postgres has one
    connection.settings_dict["PORT"] = port


def test_a_status_that_postgres_missed_is_there_with_the_next_look(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    run = stage.run()
    assert claim(run, **get_this_process()._asdict())
    supervisor = RunSupervisor(run)

    with postgres_away():
        supervisor.hear({"type": "status", "status": "restoring"})
    assert stage.status() == "starting"
    supervisor.look()

    assert stage.status() == "restoring"


def test_a_look_at_all_jobs_asks_nothing_of_those_that_run_as_wanted(stage: Stage, host: str, reconcile: Any) -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            reconcile_all()
        return len(queries)

    stage.deploy(stage.topology())
    reconcile(stage)
    alone, run, other = count_queries(), stage.run(), stage.job()
    other.pk, other.name, other.application_id = None, "other", "other"
    other.save()
    run.pk, run.job = None, other
    run.save()

    assert count_queries() == alone
    Job.objects.update(revision=2)
    reconcile_all()
    assert set(Run.objects.values_list("stop_reason", flat=True)) == {"redeployed"}
    Run.objects.update(stop_reason="")
    Job.objects.update(desired="stopped")
    reconcile_all()
    assert set(Run.objects.values_list("stop_reason", flat=True)) == {"stopped"}


def test_jobs_of_a_cluster_that_is_known_to_be_away_hold_up_no_others(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    Cluster.objects.update(silent_since=Now(), silence={"why": "It is away.", "hint": "Start it."})

    reconcile_all()

    assert (stage.job().problem or {})["message"] == "It is away."
    Cluster.objects.update(silent_since=None)
    reconcile(stage)
    assert stage.run().status == "starting"


def test_a_run_keeps_which_executors_it_lost_and_what_that_cost(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    stage.behave("lose")

    run = running(stage, reconcile)

    eventually(lambda: [each["took_ms"] for each in stage.run().lost_executors] == [9_000], "the cost of an executor")
    [lost] = find_job_status(stage.job())["lost_executors"]
    assert (lost["host"], lost["batch"], lost["cost_ms"]) == ("10.0.0.7", 0, 9_000)
    assert stage.client.get(f"/api/jobs/{run.job_id}/runs").json()[0]["lost_executors"] == [lost]
    words = "1970-01-01 00:00:01 UTC: Host 10.0.0.7 lost an executor: worker lost. Spark ran batch 0 again."
    assert words in say("status", stage.name)
    assert say("watch", stage.name, seconds=1.0).count(words) == 1


@pytest.mark.parametrize("victim", ["supervisor", "child"])
def test_a_killed_run_comes_back_as_the_next_generation_without_celery(
    stage: Stage, agent: AgentProcess, reconcile: Any, victim: str
) -> None:
    run = running(stage, reconcile)

    process = run.supervisor() if victim == "supervisor" else run.child()
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)

    eventually(lambda: stage.run().generation == 2 and stage.status() == "running", "the next generation")
    run.refresh_from_db()
    assert run.status == "failed"
    assert run.failure is not None
    assert run.failure["code"] == "run.process_died"
    assert run.failure["batch"] is not None
    eventually(lambda: len(children_alive(stage)) == 1, "one child alone")
    assert stage.run().read_plan() == run.read_plan().model_copy(update={"generation": 2, "has_begun": True})


def test_a_start_shows_its_steps_with_their_times_and_the_child_no_secret_of_the_product(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    run = running(stage, reconcile)

    (started,) = stage.notes("started")
    assert "PYTHONHASHSEED" in started["environment"]
    assert not {name for name in started["environment"] if "SECRET" in name or "DATABASE" in name or "REDIS" in name}
    eventually(lambda: len(stage.run().steps) == 4, "the last step")
    shown = stage.client.get(f"/api/jobs/{run.job_id}").json()["steps"]

    assert [step["step"] for step in shown] == ["session", "restoring", "first_batch", "running"]
    times = [step["at"] for step in shown]
    assert times == sorted(times)
    assert abs(times[0] - run.created_at.timestamp() * 1_000) < 1_000
    assert stage.client.get(f"/api/jobs/{run.job_id}/runs").json()[0]["steps"] == shown


def test_a_run_killed_on_request_comes_back(stage: Stage, agent: AgentProcess, reconcile: Any) -> None:
    run = running(stage, reconcile)

    assert stage.client.post(f"/api/jobs/{run.job_id}/kill-run").status_code == 202
    eventually(lambda: stage.run().generation == 2 and stage.run().steps[-1]["step"] == "running", "back")

    run.refresh_from_db()
    assert (run.status, run.failure and run.failure["code"]) == ("failed", "run.killed")
    eventually(lambda: len(children_alive(stage)) == 1, "one child alone")


def test_a_run_comes_back_however_often_it_is_killed_on_request(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)

    for generation in range(2, 3 + restart_policy.MAX_FAILURES):
        assert stage.client.post(f"/api/jobs/{stage.job().id}/kill-run").status_code == 202
        Agent(host).look_after(stage.run())
        again = start_again(stage.run(), host)
        assert again is not None
        assert again.generation == generation

    assert not stage.job().blocked
    events = stage.client.get(f"/api/jobs/{stage.job().id}/events").json()
    assert [event["what"] for event in events].count("kill") == restart_policy.MAX_FAILURES + 1


def test_a_kill_is_refused_when_there_is_no_run(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())

    answer = stage.client.post(f"/api/jobs/{stage.job().id}/kill-run")

    assert answer.status_code == 409
    assert "no run" in answer.json()["message"]


def test_a_run_that_no_process_took_yet_can_be_killed(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    stage.client.post(f"/api/jobs/{stage.job().id}/kill-run")

    Agent(host).look_after(stage.run())

    assert (stage.run().status, stage.run().pid) == ("failed", None)
    again = start_again(stage.run(), host)
    assert again is not None
    assert (again.start_after - again.created_at).total_seconds() < 0.5


def test_a_poison_batch_ends_as_failed_with_its_cause_until_a_user_restarts_the_job(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    stage.behave("poison 3")
    stage.deploy(stage.topology())
    reconcile(stage)

    job = stage.await_status("failed")

    assert job.desired == "running"
    assert job.blocked
    assert job.problem is not None
    assert (job.problem["node"], job.problem["batch"], job.problem["offsets"]) == ("late", 3, {"flights": [3]})
    assert job.problem["given_up"] == "Batch 3 failed 3 times for the same reason."
    assert job.runs.count() == 3
    runs = stage.client.get(f"/api/jobs/{job.id}/runs").json()
    assert {run["failure"]["code"] for run in runs} == {"record.failed"}
    stage.behave("run")
    stage.client.post(f"/api/jobs/{job.id}/restart")
    reconcile(stage)

    stage.await_status("running")
    assert stage.run().epoch == 1


def test_a_run_that_holds_more_memory_on_all_hosts_than_it_may_is_ended_and_says_what_to_do(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    stage.behave("heavy")
    stage.deploy(stage.topology(), settings={"memory_limit_mb": 1_000_000})
    reconcile(stage)

    run = eventually(lambda: stage.job().runs.filter(status="failed").first(), "a run that failed")

    assert run.failure["code"] == "run.memory_limit"
    took, limit = (int(each.replace(",", "")) for each in re.findall(r"[\d,]+\d", run.failure["message"]))
    assert (took > 2**20, limit) == (True, 1_000_000)  # 1 TiB of executors, and what the processes here hold
    for cure in ("memory_limit_mb", "fewer slots", "windows", "retention", "time to live"):
        assert cure in run.failure["hint"]
    assert run.failure["retriable"]


def test_a_run_that_is_stuck_in_a_batch_is_ended_and_comes_back(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    stage.behave("stuck 3")
    stage.deploy(stage.topology())
    reconcile(stage)

    eventually(lambda: stage.run().generation == 2 and stage.status() == "running", "the next generation")

    first = stage.job().runs.get(generation=1)
    assert first.failure is not None
    assert first.failure["code"] == "run.stuck"
    assert "Batch 3 ran for 300 s, and the longest before it in this run took 0.0 s." in first.failure["message"]


def test_a_child_that_does_not_hear_stop_is_ended_by_force_when_the_agent_leaves(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    stage.behave("deaf")
    run = running(stage, reconcile)

    agent.leave()

    run.refresh_from_db()
    assert run.status == "stopped"
    assert not children_alive(stage)


def test_a_killed_run_leaves_no_transaction_open_behind_which_readers_wait(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    """The small child of the next run does not fence."""
    run = running(stage, reconcile)
    kafka = run.connect_plan().kafka
    cluster = KafkaCluster.of(kafka)
    writer = Producer({**kafka, "transactional.id": run.read_plan().transactional_id})
    writer.init_transactions(PATIENCE_SECONDS)
    writer.begin_transaction()
    writer.produce(stage.orders, b"held", partition=0)
    writer.flush()
    assert open_transaction(cluster, stage.orders, 0) is not None

    os.kill(run.child_pid or 0, signal.SIGKILL)
    eventually(lambda: stage.run().generation == 2, "the next run")

    assert open_transaction(cluster, stage.orders, 0) is None


def test_a_changed_version_stops_the_old_run_and_starts_the_new_one(
    stage: Stage, agent: AgentProcess, reconcile: Any
) -> None:
    first = running(stage, reconcile)
    topology = stage.redraw(stage.job().topology, stage.counting(start="earliest"))

    stage.deploy(topology, on_state="fresh_from_earliest")  # the small child writes no marker
    eventually(lambda: Run.objects.get(id=first.id).status == "stopped", "the end of the old run")
    reconcile(stage)
    stage.await_status("running")

    first.refresh_from_db()
    assert first.stop_reason == "redeployed"
    assert stage.run().version_id != first.version_id
    assert (stage.run().generation, stage.run().epoch) == (2, 2)


def test_many_reconciles_at_once_begin_one_run(stage: Stage, host: str) -> None:
    stage.deploy(stage.topology())
    job_id = stage.job().id
    ready = threading.Barrier(6)

    def work() -> None:
        ready.wait()
        try:
            for _ in range(3):
                reconcile_job(job_id)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert Run.objects.filter(job=job_id).count() == 1


def test_postgres_itself_refuses_a_second_live_run(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    run = stage.run()

    run.id, run.generation = None, run.generation + 1

    with pytest.raises(IntegrityError, match="one_live_run_per_job"):
        run.save()


def test_messages_lost_doubled_or_late_change_nothing(stage: Stage, host: str, reconcile: Any) -> None:
    topology = stage.topology()
    stage.deploy(topology)
    stage.client.post(f"/api/jobs/{stage.job().id}/stop")  # the deploy's message was lost
    reconcile(stage)
    assert Run.objects.count() == 0

    stage.deploy(topology)
    for _ in range(3):
        reconcile(stage)
    stage.client.post(f"/api/jobs/{stage.job().id}/stop")
    for _ in range(3):
        reconcile(stage)

    assert Run.objects.count() == 1
    assert stage.run().stop_reason == "stopped"


def test_the_lease_belongs_to_one_process_of_one_generation(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    run, rival = stage.run(), stage.run()

    assert claim(run, **get_this_process()._asdict())
    assert not claim(rival, boot_id="other", pid=1, start_ticks=1)

    assert renew(run)
    rival.pid = 1
    assert not renew(rival)
    move(run, Status.FAILED, failure={"retriable": True})
    assert not renew(run)


def test_a_run_moves_only_by_the_table(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)

    for start, allowed in MOVES.items():
        for goal in Status:
            Run.objects.update(status=start)
            assert move(stage.run(), goal) == (goal in allowed), f"{start} to {goal}"


def test_an_ended_run_is_started_again_once_however_often_it_is_asked(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    run = stage.run()
    move(run, Status.FAILED, failure={"code": "x", "message": "x", "retriable": True})

    again = [start_again(run, host) for _ in range(3)]

    assert [found is not None for found in again] == [True, False, False]
    assert Run.objects.filter(status__in=LIVE).count() == 1
    assert 0.5 < (stage.run().start_after - stage.run().created_at).total_seconds() < 1.5


def test_a_run_tells_why_the_one_before_failed_until_its_first_batch(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    assert find_job_status(stage.job())["last_failure"] is None
    move(stage.run(), Status.FAILED, failure={"code": "x", "message": "It broke.", "hint": "Mend it."})
    again = start_again(stage.run(), host)
    assert again is not None

    def told() -> Any:
        return stage.client.get(f"/api/jobs/{stage.job().id}/live").json()["last_failure"]

    assert told()["message"] == "It broke."
    take_step(again, "first_batch", 1)
    assert told()["message"] == "It broke."
    take_step(again, "running", 2)
    assert told() is None


def test_a_user_who_restarts_a_job_has_read_why_it_failed(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    move(stage.run(), Status.FAILED, failure={"code": "x", "message": "It broke.", "hint": "Mend it."})
    stage.client.post(f"/api/jobs/{stage.job().id}/restart")
    reconcile(stage)

    assert stage.run().status == "starting"
    assert find_job_status(stage.job())["last_failure"] is None


def test_a_failure_that_no_repetition_cures_blocks_the_job_at_once(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    run = stage.run()
    move(run, Status.FAILED, failure={"code": "marker.other", "message": "x", "retriable": False})

    assert start_again(run, host) is None

    job = Job.objects.get(id=run.job_id)
    assert (job.blocked, job.status()) == (True, "failed")


def test_a_run_after_a_lack_of_memory_reads_smaller_batches_until_a_user_restarts_the_job(
    stage: Stage, host: str, reconcile: Any
) -> None:
    stage.deploy(stage.topology())
    reconcile(stage)
    for divisor in (4, 16):
        full = {"code": "run.out_of_memory", "message": "The heap is full.", "batch": 3, "retriable": True}
        move(stage.run(), Status.FAILED, failure=full)
        assert start_again(stage.run(), host) is not None
        assert stage.run().read_plan().batch_divisor == divisor
        assert stage.client.get(f"/api/jobs/{stage.job().id}/live").json()["batch_divisor"] == divisor
    move(stage.run(), Status.FAILED, failure={"code": "x", "message": "Something else broke.", "retriable": True})
    assert start_again(stage.run(), host) is not None
    assert stage.run().read_plan().batch_divisor == 16

    stage.client.post(f"/api/jobs/{stage.job().id}/restart")
    move(stage.run(), Status.STOPPING)
    move(stage.run(), Status.STOPPED)
    reconcile(stage)

    assert stage.run().read_plan().batch_divisor == 1


def test_a_batch_is_read_in_parts_if_memory_was_or_seems_to_be_lacking() -> None:
    from datetime import datetime

    died = restart_policy.FailedRun(datetime(2026, 1, 1), {"code": "run.process_died", "batch": 3, "retriable": True})
    other_batch = died._replace(failure={"code": "run.process_died", "batch": 2})

    assert restart_policy.choose_batch_divisor([died]) == 1, "anything may have killed it"
    assert restart_policy.choose_batch_divisor([died, other_batch]) == 1
    assert restart_policy.choose_batch_divisor([died, died]) == 4
    slow = died._replace(failure={**died.failure, "code": "transaction.overdue"})
    assert restart_policy.choose_batch_divisor([slow]) == 1, "the machine may have slept"
    assert restart_policy.choose_batch_divisor([slow, slow]) == 4
    assert restart_policy.choose_batch_divisor([slow._replace(batch_divisor=4), slow, slow]) == 16
    smaller = died._replace(batch_divisor=4)
    assert restart_policy.choose_batch_divisor([smaller, died, died]) == 4
    assert restart_policy.give_up([smaller, died, died], died.at) is None, "it was not the same batch"
    assert restart_policy.give_up([died, died, died], died.at) == "Batch 3 failed 3 times for the same reason."
    assert restart_policy.choose_batch_divisor([died._replace(batch_divisor=1_024)] * 2) == 1_024


def test_six_failures_within_ten_minutes_are_the_end() -> None:
    from datetime import datetime, timedelta

    now = datetime(2026, 1, 1)
    failed_runs = [
        restart_policy.FailedRun(now - timedelta(seconds=60 * n), {"code": "x", "batch": n, "retriable": True})
        for n in range(6)
    ]

    assert restart_policy.give_up(failed_runs[:5], now) is None
    assert restart_policy.give_up(failed_runs, now) == "It failed 6 times within 10 minutes."
    assert restart_policy.give_up(failed_runs, now + timedelta(minutes=9)) is None
    assert restart_policy.give_up(failed_runs, now - timedelta(hours=1)) is None, "the clock was set back since"


def test_six_runs_in_a_row_that_do_not_come_up_are_the_end_however_long_each_start_takes() -> None:
    from datetime import datetime, timedelta

    now = datetime(2026, 1, 1)
    slow = [
        restart_policy.FailedRun(now - timedelta(minutes=4 * n), {"code": "x", "batch": None}, came_up=False)
        for n in range(6)
    ]

    assert restart_policy.give_up(slow[:5], now) is None
    assert restart_policy.give_up(slow, now) == "6 runs failed in a row while they started."
    assert restart_policy.give_up([each._replace(came_up=True) for each in slow], now) is None
    assert restart_policy.count_in_a_row([*slow[:2], slow[2]._replace(made_progress=True), slow[3]]) == 3


def test_a_job_whose_runs_fail_one_after_the_other_is_told_of(stage: Stage, host: str, reconcile: Any) -> None:
    """Its runs begin and fail before they come up: between them it is starting, and nobody would see it."""
    stage.deploy(stage.topology())
    reconcile(stage)
    broken = {"code": "run.failed", "message": "A file is missing.", "hint": "Look for it.", "retriable": True}

    def fail_runs(count: int) -> dict[str, Any]:
        for _ in range(count):
            assert move(stage.run(), Status.FAILED, failure=broken)
            assert start_again(stage.run(), host) is not None
        return dict(find_job_status(stage.job()))

    once, often = fail_runs(1), fail_runs(3)
    alerts = KINDS[AlertKind.RESTARTING]
    (finding,) = alerts.look(read_fleet())
    assert take_step(stage.run(), "running", 1)

    assert (once["status"], once["failed_runs"]) == ("starting", 1)
    assert (often["status"], often["failed_runs"], often["last_failure"]) == ("starting", 4, broken)
    assert stage.client.get("/api/jobs").json()[0]["failed_runs"] == 0
    assert alerts.is_wrong(finding.value, alerts.threshold)
    assert find_job_status(stage.job())["failed_runs"] == 0


def test_a_batch_committed_in_between_forgets_earlier_failures() -> None:
    from datetime import datetime

    now = datetime(2026, 1, 1)
    stuck = restart_policy.FailedRun(now, {"code": "x", "batch": 3, "retriable": True})
    got_on = stuck._replace(made_progress=True)

    assert restart_policy.give_up([stuck, got_on, got_on, stuck], now) is None
    assert restart_policy.give_up([stuck, stuck, got_on], now) == "Batch 3 failed 3 times for the same reason."
    assert restart_policy.give_up([stuck._replace(failure={"code": "x"})] * 5 + [got_on] * 3, now) is not None


@pytest.mark.parametrize("code", ["kafka.unreachable", "checkpoint.unreachable", "checkpoint.not_moved"])
def test_what_does_not_answer_is_never_the_end(code: str) -> None:
    from datetime import datetime

    now = datetime(2026, 1, 1)
    silent = restart_policy.FailedRun(now, {"code": code, "batch": 3, "retriable": True})
    other = restart_policy.FailedRun(now, {"code": "x", "batch": None, "retriable": True})

    assert restart_policy.give_up([silent] * 9, now) is None
    assert restart_policy.give_up([silent, *[other] * 5, silent], now) is None
    assert restart_policy.give_up([silent, *[other] * 6], now) == "It failed 6 times within 10 minutes."


def test_the_back_off_doubles_up_to_a_minute_give_or_take_a_quarter() -> None:
    from datetime import datetime

    now = datetime(2026, 1, 1)
    for failures, seconds in ((1, 1), (2, 2), (3, 4), (5, 16), (9, 60)):
        failed_runs = [restart_policy.FailedRun(now, {"code": "x"})] * failures
        delays = [restart_policy.choose_delay_seconds(failed_runs, now) for _ in range(50)]
        assert seconds * 0.75 <= min(delays) < max(delays) <= seconds * 1.25
