"""A version takes over from another one, and that one takes over again. `tests/proof/test_cut_overs.py` kills runs."""

from __future__ import annotations

import shutil
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from designer.projects.models import Topology
from designer.projects.services import create_version
from designer.refusals import Refusal
from runner.control.jobs import clearing, cut_overs, runs, services
from runner.control.jobs.lifecycle import move
from runner.control.jobs.models import CutOver, Job, JobEvent, Run
from runner.control.jobs.schemas import ProvedOut
from runner.control.jobs.statuses import OnState, Status
from runner.control.jobs.tasks import clear_expired
from runner.plan import Corrected, Plan, Seed
from runner.spark.checkpoint.hadoop import get_file

from .conftest import Stage, node
from .test_losses import delete_before, fill
from .test_state import batch_done, ended

PROOF: dict[str, Any] = {
    "against": 1, "equal": False, "sentence": "`total` differs.", "batches": 3, "records": 30, "since": 1, "until": 2,
    "last_batch": 4, "is_rebuilt": False,
}  # fmt: skip


@pytest.fixture
def old(stage: Stage, host: str, reconcile: Any) -> Plan:
    """The plan of a job whose run has committed batch 4, and still runs."""
    stage.deploy(stage.topology(), settings={"slots": 2})
    reconcile(stage)
    return written(stage, 4)


def written(stage: Stage, batch: int) -> Plan:
    """Has the newest run commit batches up to that one, each of ten records of each partition."""
    plan = stage.run().read_plan()
    batch_done(stage, plan, batch, [10 * (batch + 1)] * 2)
    Run.objects.filter(id=stage.run().id).update(last_batch=batch, status=Status.RUNNING)
    return plan


def with_filter(stage: Stage) -> dict[str, Any]:
    """The counting topology with another node, which keeps the store."""
    graph = stage.counting()
    graph["nodes"].append(node("all", "filter", predicate="TRUE"))
    graph["edges"][0] = {"source": "orders", "source_port": "result", "target": "all", "target_port": "records"}
    graph["edges"].append({"source": "all", "source_port": "result", "target": "grouped", "target_port": "stream"})
    return graph


def cut_over(stage: Stage, reconcile: Any, rebuilt: Corrected | None = None) -> Job:
    """Lets a changed draft take over, up to the new run."""
    topology: Topology = stage.redraw(stage.job().topology, with_filter(stage))
    services.cut_over(
        job=stage.job(),
        origin=topology.draft,
        by=stage.user,
        proof=ProvedOut(**PROOF),
        on_state=OnState.KEEP,
        rebuilt=rebuilt,
    )
    ended(stage)
    reconcile(stage)
    return stage.job()


def go_back(stage: Stage, reconcile: Any, *, at_once: bool = False) -> Plan:
    answer = stage.client.post(f"/api/jobs/{stage.job().id}/back", {"at_once": at_once}, "application/json")
    assert answer.status_code == 202, answer.content
    ended(stage)
    reconcile(stage)
    return stage.run().read_plan()


def look(stage: Stage) -> dict[str, Any]:
    found: dict[str, Any] = stage.client.get(f"/api/jobs/{stage.job().id}/cut-over").json()
    return found


def test_a_version_takes_over_behind_the_last_batch_of_the_old_one(stage: Stage, old: Plan, reconcile: Any) -> None:
    cut_over(stage, reconcile)

    new = stage.run().read_plan()
    assert new.topics[stage.orders].start == [50, 50]
    assert [(each.group, each.batch) for each in new.follows] == [(old.marker_group, 4)]
    assert new.seed is not None
    assert (new.seed.checkpoint, new.silent_until) == (old.checkpoint, {})
    assert stage.job().version.note == "Proved: `total` differs."
    assert list(JobEvent.objects.order_by("id").values_list("what", flat=True)) == ["deploy", "cut over"]


def test_the_old_version_takes_over_again_and_first_reads_what_its_state_lacks(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    cut_over(stage, reconcile)
    new = written(stage, 7)
    found = look(stage)

    back = go_back(stage, reconcile)

    assert (found["proof"], found["is_back"], found["failure"]) == (PROOF, False, None)
    assert (found["back"]["version"], found["back"]["lacking"], found["back"]["gone"]) == (1, {stage.orders: 60}, {})
    assert found["back"]["exactly"] == (
        "Version 1 continues with its state of the cut over. It first reads 60 offsets again that version 2 has read "
        "since, and writes no results for them. Its state then lacks nothing."
    )
    assert back.shape() == old.shape() != new.shape()
    assert (back.epoch, back.topics[stage.orders].start) == (3, [50, 50])
    assert back.silent_until == {stage.orders: [80, 80]}
    assert [(each.group, each.batch) for each in back.follows] == [(new.marker_group, 7)]
    assert back.seed is not None
    assert (back.seed.checkpoint, back.seed.stores) == (old.checkpoint, ["counted"])
    assert stage.job().version.number == 1
    assert list(JobEvent.objects.order_by("id").values_list("what", flat=True)) == ["deploy", "cut over", "back"]


def test_the_old_version_may_go_on_at_once_without_the_records_since(stage: Stage, old: Plan, reconcile: Any) -> None:
    cut_over(stage, reconcile)
    written(stage, 7)
    found = look(stage)["back"]["at_once"]

    back = go_back(stage, reconcile, at_once=True)

    assert found == (
        "Version 1 continues at once with its state of the cut over, where version 2 has read to. Its state lacks the "
        f"records since: 60 offsets of `{stage.orders}`."
    )
    assert (back.topics[stage.orders].start, back.silent_until) == ([80, 80], {})
    assert back.seed is not None


def test_the_version_that_was_left_can_take_over_again_in_its_turn(stage: Stage, old: Plan, reconcile: Any) -> None:
    cut_over(stage, reconcile)
    new = written(stage, 7)
    go_back(stage, reconcile)
    written(stage, 9)

    forward = go_back(stage, reconcile)

    assert (forward.epoch, forward.shape()) == (4, new.shape())
    assert forward.seed is not None
    assert (forward.seed.checkpoint, forward.topics[stage.orders].start) == (new.checkpoint, [80, 80])
    assert forward.silent_until == {stage.orders: [100, 100]}


def test_a_version_that_gives_up_before_its_first_batch_leaves_the_job_to_the_old_one(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    cut_over(stage, reconcile)
    failure = {"code": "run.failed", "message": "It failed.", "hint": "", "retriable": False, "batch": 0, "node": None}

    move(stage.run(), Status.FAILED, failure=failure)
    runs.start_again(stage.run(), "elsewhere")
    reconcile(stage)

    back = stage.run().read_plan()
    assert (stage.job().version.number, stage.job().blocked, back.epoch) == (1, False, 3)
    assert back.shape() == old.shape()
    assert (back.topics[stage.orders].start, back.silent_until) == ([50, 50], {})
    assert look(stage)["failure"]["message"] == "It failed."
    assert look(stage)["back"] is None


def test_a_version_that_cannot_begin_leaves_the_job_to_the_old_one_in_its_epoch(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    topology: Topology = stage.redraw(stage.job().topology, with_filter(stage))
    services.cut_over(
        job=stage.job(), origin=topology.draft, by=stage.user, proof=ProvedOut(**PROOF), on_state=OnState.KEEP
    )
    ended(stage)
    stage.cluster.forget(old.marker_group)
    stage.cluster.forget(old.application_id)
    shutil.rmtree(old.checkpoint)  # nobody knows any more what is written, so no version can follow

    reconcile(stage)

    assert stage.job().version.number == 1
    assert look(stage)["failure"]["code"] == "epoch.unclean"


def test_a_version_that_has_committed_a_batch_does_not_give_way_by_itself(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    cut_over(stage, reconcile)
    written(stage, 0)
    failure = {"code": "run.failed", "message": "It failed.", "hint": "", "retriable": False, "batch": 1, "node": None}

    move(stage.run(), Status.FAILED, failure=failure)
    runs.start_again(stage.run(), "elsewhere")

    assert (stage.job().version.number, stage.job().blocked) == (2, True)
    assert look(stage)["back"]["version"] == 1


def test_the_kept_checkpoint_stays_until_its_time_is_over(stage: Stage, old: Plan, reconcile: Any) -> None:
    cut_over(stage, reconcile)
    new = written(stage, 2)

    clearing.clear_here(old.application_id, new.epoch - 1)
    clear_expired()
    stays = get_file(old.checkpoint).exists()
    CutOver.objects.update(keep_until=timezone.now() - timedelta(seconds=1))
    clear_expired()

    assert (stays, get_file(old.checkpoint).exists()) == (True, False)
    assert look(stage)["back"] is None
    with pytest.raises(Refusal, match="No state of an earlier version"):
        services.back(job=stage.job(), by=stage.user)


def test_the_checkpoint_that_was_taken_over_goes_once_the_version_has_committed(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    cut_over(stage, reconcile)
    new = written(stage, 7)
    go_back(stage, reconcile)
    assert cut_overs.find_kept_epochs(stage.job()) == {1, 2}
    written(stage, 8)

    clearing.clear_here(old.application_id, 2)

    assert (get_file(old.checkpoint).exists(), get_file(new.checkpoint).exists()) == (False, True)


def test_records_that_kafka_has_deleted_since_leave_only_the_way_without_them(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    cut_over(stage, reconcile)
    written(stage, 7)
    fill(stage, [100, 100])
    delete_before(stage, [60, 0])

    found = look(stage)
    answer = stage.client.post(f"/api/jobs/{stage.job().id}/back", {}, "application/json")
    back = go_back(stage, reconcile, at_once=True)

    assert found["back"]["gone"] == {stage.orders: 10}
    assert (answer.status_code, answer.json()["code"]) == (409, "epoch.unclean")
    assert back.topics[stage.orders].start == [80, 80]


def test_a_restart_asks_again_for_a_way_back_that_has_not_begun(stage: Stage, old: Plan, reconcile: Any) -> None:
    cut_over(stage, reconcile)
    written(stage, 7)
    services.back(job=stage.job(), by=stage.user)
    ended(stage)

    services.restart(job=stage.job(), by=stage.user)
    reconcile(stage)

    back = stage.run().read_plan()
    assert (back.shape(), back.silent_until) == (old.shape(), {stage.orders: [80, 80]})


def test_a_plain_deploy_keeps_nothing(stage: Stage, old: Plan, reconcile: Any) -> None:
    topology: Topology = stage.redraw(stage.job().topology, with_filter(stage))
    create_version(topology=topology, by=stage.user)

    stage.deploy(topology)
    ended(stage)
    reconcile(stage)

    assert stage.client.get(f"/api/jobs/{stage.job().id}/cut-over").json() is None
    assert cut_overs.find_kept_epochs(stage.job()) == set()


def take_over_corrected(stage: Stage, reconcile: Any, old: Plan, *, batch: int) -> None:
    """Stops the job, and lets a version go on with a state that was worked out up to a batch."""
    services.stop(job=stage.job(), by=stage.user)
    ended(stage)
    topology: Topology = stage.redraw(stage.job().topology, with_filter(stage))
    seed = Seed(checkpoint="", plan=old.to_stored(), stores=["counted"], rows="corrected/1", digest="d")
    corrected = Corrected(epoch=old.epoch, batch=batch, seed=seed)
    services.take_over_corrected(job=stage.job(), origin=topology.draft, by=stage.user, corrected=corrected)
    reconcile(stage)


def test_a_version_goes_on_with_the_corrected_state_behind_the_last_corrected_batch(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    take_over_corrected(stage, reconcile, old, batch=4)

    new = stage.run().read_plan()
    assert (new.epoch, new.topics[stage.orders].start) == (2, [50, 50])
    assert [(each.group, each.batch) for each in new.follows] == [(old.marker_group, 4)]
    assert new.seed is not None
    assert (new.seed.checkpoint, new.seed.rows, new.seed.stores) == (old.checkpoint, "corrected/1", ["counted"])
    assert cut_overs.find_way_back(stage.job()) is not None


def test_a_corrected_state_is_refused_once_the_job_has_written_another_batch(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    take_over_corrected(stage, reconcile, old, batch=3)

    assert stage.job().find_live_run() is None
    assert (stage.job().problem or {})["code"] == "epoch.unclean"


def test_a_restart_before_the_first_batch_keeps_the_corrected_state(stage: Stage, old: Plan, reconcile: Any) -> None:
    take_over_corrected(stage, reconcile, old, batch=4)
    ended(stage)

    services.restart(job=stage.job(), by=stage.user)
    reconcile(stage)

    seed = stage.run().read_plan().seed
    assert seed is not None
    assert (seed.rows, seed.checkpoint) == ("corrected/1", old.checkpoint)


def make_rebuilt(stage: Stage, old: Plan, *, batch: int = 2) -> Corrected:
    """State that a proof has rebuilt up to the end of a batch."""
    seed = Seed(checkpoint="", plan=old.to_stored(), stores=["counted"], rows="proved/1", digest="d")
    return Corrected(epoch=old.epoch, batch=batch, seed=seed, behind={stage.orders: [10 * (batch + 1)] * 2})


def test_a_version_takes_over_with_rebuilt_state_and_reads_silently_what_was_read_since_the_proof(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    cut_over(stage, reconcile, make_rebuilt(stage, old))

    new = stage.run().read_plan()
    assert (new.topics[stage.orders].start, new.silent_until) == ([30, 30], {stage.orders: [50, 50]})
    assert [(each.group, each.batch) for each in new.follows] == [(old.marker_group, 4)]
    assert new.seed is not None
    assert (new.seed.checkpoint, new.seed.rows, new.seed.stores) == (old.checkpoint, "proved/1", ["counted"])
    assert cut_overs.find_way_back(stage.job()) is not None


def test_rebuilt_state_of_a_later_batch_is_refused_and_the_old_version_goes_on(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    cut_over(stage, reconcile, make_rebuilt(stage, old, batch=5))

    assert stage.job().version.number == 1
    assert look(stage)["failure"]["code"] == "epoch.unclean"


def test_a_version_with_rebuilt_state_that_gives_up_before_its_first_batch_leaves_the_old_one(
    stage: Stage, old: Plan, reconcile: Any
) -> None:
    cut_over(stage, reconcile, make_rebuilt(stage, old))
    ended(stage)

    assert cut_overs.go_back_if_not_begun(stage.job(), {"code": "run.failed"})
    assert (stage.job().version.number, stage.job().desired) == (1, "running")
