"""Several hosts: where runs go, who follows a host that is gone, and draining one."""

import math
import signal
from collections.abc import Callable, Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from designer.refusals import Conflict
from runner.control.clusters.models import SparkCluster
from runner.control.hosts.agent import Agent
from runner.control.hosts.archives import ArchivesAhead
from runner.control.jobs import hosts
from runner.control.jobs.clearing import clear_orphans
from runner.control.jobs.database_clock import DatabaseClock, database_clock
from runner.control.jobs.lifecycle import LEASE, claim, move
from runner.control.jobs.models import AgentHost, Job, Product, Run
from runner.control.jobs.plans.adopting import choose_folder
from runner.control.jobs.runs import MARGIN, give_up_lost
from runner.control.jobs.statuses import Status
from runner.control.processes import get_this_process, read_boot_id
from runner.plan import Seed
from runner.spark.failures import DiskBroken, describe_cause, of_refusal
from runner.spark.proving.scratch import make_scratch
from runner.watch.live.fleet import read_fleet
from webapp.accounts.models import User

from .conftest import Stage


@pytest.fixture
def shared(settings: Any, tmp_path: Path) -> None:
    """All hosts see one folder of checkpoints."""
    settings.CHECKPOINTS = str(tmp_path)


@pytest.fixture
def allowed(user: User) -> None:
    user.user_permissions.add(Permission.objects.get(codename="manage_clusters"))


@pytest.fixture
def two_hosts(transactional_db: None) -> None:
    hosts.note_beat("one", read_boot_id())
    hosts.note_beat("two", read_boot_id())


def deployed(stage: Stage, reconcile: Any, host: str) -> Run:
    """A running run on that host."""
    stage.deploy(stage.topology())
    reconcile(stage)
    run = stage.run()
    Run.objects.filter(id=run.id).update(host=host)
    run.refresh_from_db()
    assert claim(run, **get_this_process()._asdict())
    assert move(run, Status.RUNNING)
    return run


def goes(name: str) -> None:
    """The agent of a host falls silent."""
    AgentHost.objects.filter(name=name).update(beat_at=Now() - hosts.SILENCE - timedelta(seconds=1))


def lease_ends(run: Run) -> None:
    Run.objects.filter(id=run.id).update(lease_until=Now() - MARGIN - timedelta(seconds=1))


def test_new_runs_go_to_the_host_with_the_fewest_runs_for_its_cores(stage: Stage, reconcile: Any, two_hosts: None):
    AgentHost.objects.filter(name="one").update(cores=1)
    AgentHost.objects.filter(name="two").update(cores=4)

    run = deployed(stage, reconcile, "two")
    assert hosts.choose_least_loaded() == "one"

    Run.objects.filter(id=run.id).update(host="one")
    assert hosts.choose_least_loaded() == "two"


def test_the_job_of_a_host_that_is_gone_goes_on_at_another_when_its_lease_is_over(
    stage: Stage, reconcile: Any, two_hosts: None, shared: None
):
    run = deployed(stage, reconcile, "one")
    agent = Agent("two")

    goes("one")
    agent.tick()
    assert stage.run().id == run.id  # its supervisor may still be at work

    lease_ends(run)
    agent.looked_at = 0
    agent.tick()
    run.refresh_from_db()
    cause = run.failure or {}
    assert (run.status, cause["code"]) == (Status.FAILED, "host.lost")
    assert "`one`" in cause["message"]
    assert (stage.run().host, stage.run().generation) == ("two", run.generation + 1)
    agent.ahead.end()


def test_a_run_that_no_drive_took_is_followed_at_once(stage: Stage, reconcile: Any, two_hosts: None, shared: None):
    stage.deploy(stage.topology())
    reconcile(stage)
    first = stage.run()
    other = "two" if first.host == "one" else "one"

    goes(first.host)
    reconcile(stage)

    assert (stage.run().host, stage.run().generation) == (other, first.generation + 1)
    assert not claim(first, **get_this_process()._asdict())


def test_a_job_whose_checkpoint_only_its_host_has_waits_for_it(stage: Stage, reconcile: Any, two_hosts: None):
    run = deployed(stage, reconcile, "one")

    goes("one")
    lease_ends(run)
    reconcile(stage)
    problem = stage.client.get(f"/api/jobs/{stage.job().id}").json()["problem"]
    assert (problem["code"], stage.run().id) == ("host.away", run.id)
    assert "waits for host `one`" in problem["message"]
    assert "STREAMWRIGHT_CHECKPOINTS" in problem["hint"]

    hosts.note_beat("one", read_boot_id())
    reconcile(stage)
    assert (stage.run().host, stage.run().generation) == ("one", run.generation + 1)
    assert stage.job().problem is None


def test_a_run_that_has_not_started_stays_where_the_ones_before_it_left_their_checkpoint(
    stage: Stage, reconcile: Any, two_hosts: None, allowed: None
):
    run = deployed(stage, reconcile, "one")
    assert move(run, Status.FAILED, failure={"retriable": True})
    reconcile(stage)
    assert (stage.run().host, stage.run().started_at) == ("one", None)

    assert stage.client.post("/api/hosts/one/drain").json()["stay"] == [stage.name]
    assert stage.run().stop_reason == ""
    stage.client.post("/api/hosts/one/take-back")
    goes("one")
    reconcile(stage)

    assert (stage.run().host, stage.run().generation) == ("one", run.generation + 1)
    assert (stage.job().problem or {})["code"] == "host.away"


def test_a_job_moves_once_it_has_used_the_state_that_only_its_host_has(
    stage: Stage, reconcile: Any, two_hosts: None, shared: None
):
    """It came from a host's own disk, and its epoch has copied that state into the checkpoint that all hosts see."""
    run = deployed(stage, reconcile, "one")
    seed = Seed(checkpoint="/own/disk/epoch-0", plan={}, stores=["counted"])
    plan = run.read_plan().model_copy(update={"seed": seed, "is_seeded": True})
    Run.objects.filter(id=run.id).update(plan=plan.to_stored())
    goes("one")
    lease_ends(run)
    reconcile(stage)
    assert (stage.job().problem or {})["code"] == "host.away"

    Run.objects.filter(id=run.id).update(last_batch=0)
    reconcile(stage)

    assert stage.run().host == "two"
    assert (stage.run().read_plan().seed, stage.run().read_plan().is_seeded) == (None, True)


def test_a_host_under_a_new_name_goes_on_with_what_is_on_its_disk(stage: Stage, reconcile: Any, two_hosts: None):
    run = deployed(stage, reconcile, "one")
    Path(run.read_plan().checkpoint).mkdir(parents=True)
    goes("one")
    lease_ends(run)

    hosts.note_beat(django_settings.HOST, read_boot_id())
    reconcile(stage)

    assert stage.run().host == django_settings.HOST


@pytest.mark.parametrize("is_old_there", [True, False])
def test_a_job_goes_on_from_a_home_folder_that_was_restored_elsewhere(
    stage: Stage, reconcile: Any, two_hosts: None, settings: Any, tmp_path: Path, is_old_there: bool
):
    settings.HOME, home = tmp_path / "old" / "checkpoints" / "home", tmp_path / "new"
    run = deployed(stage, reconcile, "one")
    old = Path(run.read_plan().checkpoint)
    here = home / "checkpoints" / old.relative_to(settings.HOME / "checkpoints")
    here.mkdir(parents=True)
    if is_old_there:
        old.mkdir(parents=True)
    settings.HOME = home
    goes("one")
    lease_ends(run)

    hosts.note_beat(django_settings.HOST, read_boot_id())
    reconcile(stage)

    assert (stage.run().host, stage.run().read_plan().checkpoint) == (django_settings.HOST, str(here))
    assert stage.run().plan["checkpoint"] == str(here)


def test_an_epoch_that_no_run_has_begun_begins_in_the_home_folder_that_was_restored(
    stage: Stage, reconcile: Any, two_hosts: None, settings: Any, tmp_path: Path
):
    settings.HOME, home = tmp_path / "old", tmp_path / "new"
    run = deployed(stage, reconcile, settings.HOST)
    old = Path(run.read_plan().checkpoint)
    settings.HOME = home

    assert run.read_plan().checkpoint == str(home / "checkpoints" / old.parent.name / old.name)
    run.host = "one"
    assert run.read_plan().checkpoint == str(old)  # it may be on that host
    run.host, settings.CHECKPOINTS = settings.HOST, str(old.parent.parent)
    assert run.read_plan().checkpoint == str(old)  # all hosts share the folder, which this one may not reach now


def test_a_host_that_is_drained_gives_its_jobs_away_and_takes_none(
    stage: Stage, reconcile: Any, two_hosts: None, allowed: None, shared: None
):
    run = deployed(stage, reconcile, "one")

    answer = stage.client.post("/api/hosts/one/drain").json()
    assert (answer["is_draining"], answer["jobs"], answer["stay"]) == (True, [stage.name], [])
    run.refresh_from_db()
    assert run.stop_reason == "host drained"

    assert move(run, Status.STOPPING) and move(run, Status.STOPPED)
    reconcile(stage)
    assert (stage.run().host, stage.run().generation) == ("two", run.generation + 1)
    assert hosts.choose_least_loaded() == "two"

    assert stage.client.post("/api/hosts/one/take-back").json()["is_draining"] is False
    assert hosts.choose_least_loaded() == "one"


def test_jobs_that_cannot_move_stay_on_a_drained_host(stage: Stage, reconcile: Any, two_hosts: None, allowed: None):
    run = deployed(stage, reconcile, "one")

    assert stage.client.post("/api/hosts/one/drain").json()["stay"] == [stage.name]
    run.refresh_from_db()
    assert (run.status, run.stop_reason) == (Status.RUNNING, "")


def test_the_list_of_hosts_takes_as_many_queries_for_many_runs_as_for_one(
    stage: Stage, reconcile: Any, two_hosts: None, django_assert_num_queries: Any
):
    run, job = deployed(stage, reconcile, "one"), stage.job()
    goes("two")
    with CaptureQueriesContext(connection) as queries:
        alone = stage.client.get("/api/hosts").json()["hosts"]
    for name in ("another", "third"):
        job.pk, job.name, job.application_id = None, name, name
        job.save()
        run.pk, run.job, run.last_batch = None, job, 1
        run.save()

    with django_assert_num_queries(len(queries)):
        listed = stage.client.get("/api/hosts").json()["hosts"]

    assert [(each["name"], each["is_alive"], each["jobs"], each["stay"]) for each in alone] == [
        ("one", True, [stage.name], [stage.name]),
        ("two", False, [], []),
    ]
    assert listed[0]["stay"] == ["another", stage.name, "third"]


def test_the_last_host_is_not_drained(stage: Stage, two_hosts: None, allowed: None):
    goes("two")

    refused = stage.client.post("/api/hosts/one/drain")

    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "No other host" in refused.json()["message"]
    assert not AgentHost.objects.get(name="one").draining


def test_a_drained_host_takes_no_run_when_its_agent_comes_back(stage: Stage, two_hosts: None, allowed: None):
    stage.client.post("/api/hosts/one/drain")
    hosts.leave("one")
    hosts.leave("two")
    assert [host.name for host in AgentHost.objects.all()] == ["one"]
    assert not hosts.is_alive("one")

    hosts.note_beat("one", read_boot_id())
    with pytest.raises(hosts.NoAgent, match="being drained"):
        hosts.choose_least_loaded()


def test_a_job_leaves_a_host_whose_disk_is_broken(stage: Stage, reconcile: Any, two_hosts: None, shared: None):
    run = deployed(stage, reconcile, "one")
    AgentHost.objects.filter(name="two").update(cores=0)  # it would be the last choice
    broken = of_refusal(DiskBroken("one", "Input/output error"))
    assert move(run, Status.FAILED, failure=describe_cause(broken, broken, None, {}))

    reconcile(stage)

    assert stage.run().host == "two"
    assert hosts.choose_least_loaded() == "one"


def upgrade(*names: str) -> None:
    """The product has a new version, and so have these hosts."""
    Product.objects.update_or_create(id=1, defaults={"version": "9.9"})
    AgentHost.objects.filter(name__in=names).update(version="9.9")


def test_a_host_of_another_version_is_given_no_run(stage: Stage, reconcile: Any, two_hosts: None):
    upgrade("two")
    assert hosts.choose_least_loaded() == "two"
    goes("two")

    stage.deploy(stage.topology())
    reconcile(stage)

    problem = stage.client.get(f"/api/jobs/{stage.job().id}").json()["problem"]
    assert (problem["code"], stage.job().find_last_run()) == ("host.outdated", None)
    assert problem["message"] == "Hosts of another version than 9.9 take no job: `one`."
    assert problem["hint"] == "Install version 9.9 there, and start the agent again."


def test_an_agent_of_another_version_follows_no_run(stage: Stage, reconcile: Any, two_hosts: None, shared: None):
    run = deployed(stage, reconcile, "one")
    agent = Agent("two")
    upgrade()

    goes("one")
    lease_ends(run)
    agent.tick()
    assert (stage.run().id, stage.run().status) == (run.id, Status.FAILED)

    Product.objects.update(version=hosts.get_our_version())
    agent.tick()
    assert (stage.run().host, stage.run().generation) == ("two", run.generation + 1)
    agent.ahead.end()


def test_a_job_that_cannot_move_waits_for_the_version_of_its_host(stage: Stage, reconcile: Any, two_hosts: None):
    run = deployed(stage, reconcile, "one")
    assert move(run, Status.FAILED, failure={"retriable": True})
    upgrade("two")

    reconcile(stage)

    assert stage.run().id == run.id
    assert (stage.job().problem or {})["code"] == "host.outdated"


def test_an_agent_gives_back_a_run_from_before_its_version_was_another(
    stage: Stage, reconcile: Any, two_hosts: None, shared: None
):
    stage.deploy(stage.topology())
    reconcile(stage)
    run = stage.run()
    agent, other = Agent(run.host), "two" if run.host == "one" else "one"
    upgrade(other)

    agent.tick()
    run.refresh_from_db()
    assert (run.status, (run.failure or {})["code"], agent.supervisors) == (Status.FAILED, "host.outdated", {})

    reconcile(stage)
    assert (stage.run().host, stage.run().generation) == (other, run.generation + 1)
    agent.ahead.end()


def test_hosts_of_another_version_are_told_of(stage: Stage, two_hosts: None, allowed: None):
    upgrade("two")

    said = StringIO()
    call_command("hosts", stdout=said)

    assert stage.client.get("/api/hosts").json()["version"] == "9.9"
    assert [host["outdated"] for host in read_fleet().hosts] == [True, False]
    assert said.getvalue().splitlines()[-1].startswith("Hosts of another version than 9.9 take no job: `one`.")


@pytest.mark.django_db
def test_who_migrates_says_of_which_version_hosts_are() -> None:
    Product.objects.all().delete()

    call_command("migrate", verbosity=0)

    assert Product.objects.get().version == hosts.get_our_version()


def test_hosts_tell_what_they_are(stage: Stage, reconcile: Any, two_hosts: None):
    deployed(stage, reconcile, "one")
    goes("two")

    found = stage.client.get("/api/hosts").json()
    one, two = found["hosts"]

    assert (one["name"], one["is_alive"], one["jobs"]) == ("one", True, [stage.name])
    assert one["cores"] > 0 and one["memory_bytes"] > 2**28 and one["version"] == found["version"]
    assert (two["is_alive"], two["jobs"]) == (False, [])
    assert stage.client.get(f"/api/jobs/{stage.job().id}").json()["host"] == "one"


def test_only_a_host_without_an_agent_is_forgotten(stage: Stage, two_hosts: None, allowed: None):
    assert stage.client.delete("/api/hosts/one").status_code == 409
    goes("one")
    assert stage.client.delete("/api/hosts/one").status_code == 204
    assert stage.client.delete("/api/hosts/one").status_code == 404


def test_hosts_are_drained_by_those_who_may(stage: Stage, two_hosts: None):
    refused = stage.client.post("/api/hosts/one/drain")

    assert (refused.status_code, refused.json()["code"]) == (403, "rights.missing")


def test_hosts_are_listed_and_drained_on_the_command_line(stage: Stage, two_hosts: None, allowed: None):
    said = StringIO()
    call_command("hosts", drain="one", stdout=said)
    assert "running, draining" in said.getvalue().splitlines()[1]
    with pytest.raises(CommandError, match="There is no host `three`"):
        call_command("hosts", drain="three")


def test_two_machines_do_not_share_a_name(two_hosts: None):
    hosts.refuse_taken("one", read_boot_id())
    with pytest.raises(Conflict, match="is also called `one`"):
        hosts.refuse_taken("one", "another boot")
    goes("one")
    hosts.refuse_taken("one", "another boot")


def test_each_host_clears_away_what_it_need_not_keep(stage: Stage, reconcile: Any, two_hosts: None):
    run = deployed(stage, reconcile, "one")
    home = Path(django_settings.HOME)
    state, compared = home / "state", Path(choose_folder("new")).parent
    logs = home / "logs"
    kept = [state / stage.name / f"epoch-{run.epoch}", logs / f"run-{run.id}.log", logs / "run-of-a-user.log"]
    gone = [state / stage.name / f"epoch-{run.epoch - 1}", state / "deleted" / "epoch-1", logs / "run-0.log"]
    gone += [compared / "replay-of-killed", state / stage.name / "replay-of-killed"]
    (logs / "run-1000000.log").mkdir(parents=True)

    with make_scratch(compared) as of_comparison, make_scratch(state / stage.name) as of_proof:
        for path in (*kept, *gone):
            path.mkdir(parents=True, exist_ok=True) if path.suffix == "" else path.write_text("")
        clear_orphans()

        assert [path.exists() for path in (*kept, of_comparison, of_proof)] == [True] * 5
    assert not any(path.exists() for path in (*gone, logs / "run-1000000.log"))


def test_each_host_clears_away_the_checkpoints_of_jobs_that_were_deleted(stage: Stage, host: str):
    """The worker that deletes a job sees only the disk of its own host."""
    stage.deploy(stage.topology())
    job = stage.job()
    Job.objects.filter(id=job.id).update(epoch=3)
    stage.client.post(f"/api/jobs/{job.id}/stop")
    assert stage.client.delete(f"/api/jobs/{job.id}").status_code == 204
    checkpoints = Path(django_settings.HOME) / "checkpoints"
    of_deleted, of_next = checkpoints / stage.name / "epoch-3", checkpoints / stage.name / "epoch-4"
    of_unknown = checkpoints / f"unknown-{stage.name}" / "epoch-1"
    for folder in (of_deleted, of_next, of_unknown):
        folder.mkdir(parents=True, exist_ok=True)

    clear_orphans()

    assert [folder.exists() for folder in (of_deleted, of_next, of_unknown)] == [False, True, True]
    of_next.rmdir()
    clear_orphans()
    assert not of_next.parent.exists()


def test_an_agent_makes_archives_for_executors_once_a_spark_cluster_is_there(db: None, settings: Any, tmp_path: Path):
    settings.HOME, archives = tmp_path, ArchivesAhead()

    archives.keep()
    before = archives.process
    SparkCluster.objects.create(name="blue", master="spark://blue:7077")
    archives.keep()
    process = archives.process
    assert process is not None
    archives.keep()
    archives.end()

    assert before is None
    assert process is archives.process
    assert isinstance(process.args, list)
    assert process.args[-2:] == ["runner.spark.session.worker_files", str(tmp_path / "workers")]
    assert process.poll() == -signal.SIGTERM


@pytest.fixture
def set_clock() -> Iterator[Callable[[timedelta], None]]:
    """Has the clock of Postgres look as if it was set by so much since the last look."""

    def set_by(step: timedelta) -> None:
        database_clock.was_set()
        assert database_clock.last is not None
        at, now = database_clock.last
        database_clock.last, database_clock.set_at = (at - step, now), -math.inf

    yield set_by
    database_clock.last, database_clock.set_at = None, -math.inf


def test_a_late_answer_of_postgres_is_no_changed_clock(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runner.control.jobs.database_clock.STEP", timedelta(seconds=1))
    clock = DatabaseClock()

    def answer_late(execute: Any, sql: str, *others: Any) -> Any:
        return execute("SELECT clock_timestamp(), pg_sleep(1.5)", *others)

    looks = [clock.was_set()]
    with connection.execute_wrapper(answer_late):
        looks.append(clock.was_set())
    looks.append(clock.was_set())

    assert looks == [False, True, False]


def test_no_run_is_given_up_while_the_clock_of_postgres_was_just_set_forward(
    stage: Stage, reconcile: Any, two_hosts: None, shared: None, set_clock: Callable[[timedelta], None]
) -> None:
    run = deployed(stage, reconcile, "one")
    set_clock(timedelta(hours=1))
    goes("one")
    Run.objects.filter(id=run.id).update(lease_until=Now() - timedelta(hours=1))

    give_up_lost()
    Agent("one").watch(run)
    run.refresh_from_db()
    assert run.status == Status.RUNNING

    database_clock.set_at = -math.inf  # a while later, and still no one has written
    give_up_lost()
    run.refresh_from_db()
    assert run.status == Status.FAILED


def test_a_dead_host_is_lost_in_time_after_the_clock_of_postgres_was_set_back(
    stage: Stage, reconcile: Any, two_hosts: None, set_clock: Callable[[timedelta], None]
) -> None:
    run = deployed(stage, reconcile, "one")
    AgentHost.objects.filter(name="one").update(beat_at=Now() + timedelta(hours=1))
    Run.objects.filter(id=run.id).update(lease_until=Now() + timedelta(hours=1))
    set_clock(timedelta(hours=-1))

    give_up_lost()

    assert not AgentHost.objects.filter(beat_at__gt=Now()).exists()
    assert not Run.objects.filter(lease_until__gt=Now() + LEASE).exists()
