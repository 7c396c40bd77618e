"""A job whose checkpoint is damaged: said before a deploy, with the ways on, and gone on with as was chosen."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from runner.control.jobs.lifecycle import move
from runner.control.jobs.models import Job, Run
from runner.control.jobs.statuses import Status
from runner.plan import Plan
from runner.spark.checkpoint.checkpoint import Checkpoint
from tests.runner.spark.checkpoints import QUERY, cut

from .conftest import Stage, get_help, list_ways
from .test_losses import delete_before, fill
from .test_state import batch_done, commit, deployed, ended, preview, summed


def damaged(stage: Stage, reconcile: Any, *files: str) -> Plan:
    """A job whose last run has committed batch 4 and ended, with these files of its checkpoint cut in half."""
    fill(stage, [50, 50])
    plan = deployed(stage, reconcile)
    for file in files:
        cut(Path(plan.checkpoint) / file)
    return plan


@pytest.mark.parametrize(
    ("files", "committed", "said"),
    [
        (["metadata", "offsets/4"], 4, "Rewrite the damaged files"),
        (["state/0/1/5.changelog"], 3, "Return to batch 3, which is whole, and repeat batch 4"),
        (["state/0/1/1.changelog"], None, "Return to the state before the first batch and repeat batches 0 to 4"),
    ],
)
def test_a_repair_is_offered_and_goes_on_in_the_same_epoch(
    stage: Stage, host: str, reconcile: Any, files: list[str], committed: int | None, said: str
) -> None:
    old = damaged(stage, reconcile, *files)

    found = preview(stage, stage.counting())
    refused = stage.deploy(stage.job().topology, expect=409)
    with pytest.raises(CommandError, match="repair"):
        call_command("deploy", stage.name)
    call_command("deploy", stage.name, on_state="repair")
    reconcile(stage)

    assert [each["file"] for each in found["damage"]] == files
    assert [state_change["effect"] for state_change in found["state"]] == ["damaged"]
    assert list_ways(found) == ["repair", "fresh_from_now", "fresh_from_earliest"]
    assert get_help(found, "repair").startswith(said)
    assert found["question"] == "How should the job continue?"
    assert (refused["code"], refused["message"]) == (
        "deploy.checkpoint_damaged",
        f"The checkpoint is damaged. {found['damaged']}",
    )
    new, checkpoint = stage.run().read_plan(), Checkpoint(old.checkpoint)
    assert (new.epoch, new.topics, new.seed, new.checkpoint) == (1, old.topics, None, old.checkpoint)
    assert (checkpoint.query_id, checkpoint.find_last_committed(), checkpoint.find_last_planned()) == (
        QUERY,
        committed,
        4,
    )
    if committed == 4:
        assert checkpoint.offsets(4) == {stage.orders: [30, 12]}
    ended(stage)
    assert preview(stage, stage.counting())["damage"] == []


SCHEMA = "state/0/_stateSchema/default/0_a08c105b"


def test_the_damaged_state_may_start_empty_behind_the_last_batch(stage: Stage, host: str, reconcile: Any) -> None:
    old = damaged(stage, reconcile, SCHEMA)
    delete_before(stage, [10, 0])

    found = preview(stage, stage.counting())
    stage.deploy(stage.job().topology, on_state="repair", expect=409)
    stage.deploy(stage.job().topology, on_state="fresh_from_now")
    reconcile(stage)

    new = stage.run().read_plan()
    assert list_ways(found) == ["fresh_from_now", "fresh_from_earliest"]
    assert "results start from zero" in found["state"][0]["why"]
    assert "Its missing contents are not stored anywhere else." in found["damaged"]
    assert found["damaged"].endswith(
        f"Topic `{stage.orders}` no longer holds all records that the state came from: partition 0 begins with offset "
        "10, and offset 0 is needed."
    )
    assert (new.epoch, new.topics[stage.orders].start, new.seed) == (2, [30, 12], None)
    assert new.checkpoint != old.checkpoint


def test_the_state_is_rebuilt_from_the_topic_and_nothing_is_written_meanwhile(
    stage: Stage, host: str, reconcile: Any
) -> None:
    damaged(stage, reconcile, SCHEMA)

    found = preview(stage, stage.counting())
    call_command("deploy", stage.name, on_state="rebuild")
    reconcile(stage)

    new = stage.run().read_plan()
    assert list_ways(found) == ["rebuild", "fresh_from_now", "fresh_from_earliest"]
    assert f"`counted` reads {stage.orders} from the first record. That is 42 offsets" in get_help(found, "rebuild")
    assert (new.epoch, new.topics[stage.orders].start, new.seed) == (2, [0, 0], None)
    assert new.silent_until == {stage.orders: [30, 12]}
    batch_done(stage, new, 4, [30, 12])
    ended(stage)
    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="latest")))
    reconcile(stage)
    job = stage.job()
    assert job.problem is None
    assert stage.run().read_plan().silent_until == {}


def deployed_before_an_unknown_version(stage: Stage, reconcile: Any) -> Plan:
    """The plan of the newest version that Postgres knows. After its batch 4, a later one took over and read on."""
    fill(stage, [50, 50])
    old = deployed(stage, reconcile)
    closed = json.dumps({"query": QUERY, "generation": old.generation, "batch": "", "time": None, "closed": True})
    commit(stage, old.marker_group, old.marker_topic, [5], closed)
    commit(stage, old.application_id, stage.orders, [40, 20])
    return old


@pytest.mark.parametrize("has_checkpoint", [True, False])
def test_a_job_whose_newest_version_an_older_database_does_not_know_goes_on_behind_its_last_results(
    stage: Stage, host: str, reconcile: Any, has_checkpoint: bool
) -> None:
    """The checkpoint of the older version is still there for a day after a cut over, but its state is old."""
    old = deployed_before_an_unknown_version(stage, reconcile)
    if not has_checkpoint:
        shutil.rmtree(old.checkpoint)

    found = preview(stage, stage.counting(start="earliest"))
    stage.deploy(stage.job().topology, expect=409)
    stage.deploy(stage.job().topology, on_state="fresh_from_now")
    reconcile(stage)

    assert "After batch 4, a version took over that this server does not know" in found["damaged"]
    assert list_ways(found) == ["fresh_from_now", "fresh_from_earliest"]
    new = stage.run().read_plan()
    assert (new.epoch, new.topics[stage.orders].start, new.seed) == (2, [40, 20], None)


def test_the_unchanged_version_may_rebuild_the_state_that_an_older_database_does_not_know(
    stage: Stage, host: str, reconcile: Any
) -> None:
    deployed_before_an_unknown_version(stage, reconcile)

    assert list_ways(preview(stage, stage.counting())) == ["rebuild", "fresh_from_now", "fresh_from_earliest"]
    stage.deploy(stage.job().topology, on_state="rebuild")
    reconcile(stage)

    assert stage.run().read_plan().silent_until == {stage.orders: [40, 20]}


@pytest.mark.parametrize("code", ["checkpoint.older", "marker.behind", "marker.other_query"])
def test_a_checkpoint_that_does_not_belong_to_the_results_is_asked_about(
    stage: Stage, host: str, reconcile: Any, code: str
) -> None:
    fill(stage, [50, 50])
    deployed(stage, reconcile)
    Run.objects.update(status="failed", failure={"code": code, "message": "They differ.", "retriable": False})

    found = preview(stage, stage.counting())

    assert found["damaged"].startswith("They differ.")
    assert list_ways(found) == ["rebuild", "fresh_from_now", "fresh_from_earliest"]


def rebuilding(stage: Stage, reconcile: Any, batch: int | None) -> Plan:
    """A job whose run is rebuilding its state: it has executed that batch, which is not the last one, or none."""
    damaged(stage, reconcile, SCHEMA)
    call_command("deploy", stage.name, on_state="rebuild")
    reconcile(stage)
    plan = stage.run().read_plan()
    if batch is not None:
        batch_done(stage, plan, batch, [30, 12])
    return plan


@pytest.mark.parametrize("batch", [None, 1])
def test_another_version_cannot_keep_state_that_is_still_being_rebuilt(
    stage: Stage, host: str, reconcile: Any, batch: int | None
) -> None:
    old = rebuilding(stage, reconcile, batch)
    other = stage.counting(start="latest")

    found = preview(stage, other)
    refused = stage.deploy(stage.redraw(stage.job().topology, other), expect=409)
    stage.deploy(stage.job().topology, on_state="fresh_from_now")
    ended(stage)
    reconcile(stage)

    ((state_change, why),) = {(state_change["effect"], state_change["why"]) for state_change in found["state"]}
    assert state_change == "starts_empty"
    assert "is still being rebuilt" in why
    assert list_ways(found) == ["fresh_from_earliest", "fresh_from_now"]
    assert refused["code"] == "deploy.state_would_be_lost"
    new = stage.run().read_plan()
    assert (new.epoch, new.seed, new.silent_until) == (old.epoch + 1, None, {})
    assert new.topics[stage.orders].start == [30, 12]


def test_state_that_is_still_being_rebuilt_is_not_emptied_without_a_choice(
    stage: Stage, host: str, reconcile: Any
) -> None:
    rebuilding(stage, reconcile, batch=1)
    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="latest")), on_state="fresh_from_now")
    Job.objects.update(on_state="keep")  # as where Kafka did not say how far the job was when it was deployed
    ended(stage)

    reconcile(stage)

    job = stage.job()
    assert job.problem is not None
    assert (job.status(), job.problem["code"]) == ("failed", "epoch.unclean")


@pytest.mark.parametrize("batch", [None, 1])
def test_the_same_version_goes_on_rebuilding(stage: Stage, host: str, reconcile: Any, batch: int | None) -> None:
    old = rebuilding(stage, reconcile, batch)

    found = preview(stage, stage.counting())
    stage.deploy(stage.job().topology)
    ended(stage)
    reconcile(stage)

    assert (found["has_new_epoch"], [state_change["effect"] for state_change in found["state"]]) == (False, ["kept"])
    assert stage.run().read_plan().checkpoint == old.checkpoint
    assert stage.run().read_plan().silent_until == {stage.orders: [30, 12]}


@pytest.mark.parametrize("batch", [None, 1])
def test_a_rebuild_says_which_of_its_records_are_gone_and_begins_again_without_them(
    stage: Stage, host: str, reconcile: Any, batch: int | None
) -> None:
    old = rebuilding(stage, reconcile, batch)  # batch 1 ends at 20 and 20
    ended(stage)
    delete_before(stage, [25, 2])

    found = preview(stage, stage.counting())
    refused = stage.deploy(stage.job().topology, expect=409)
    stage.deploy(stage.job().topology, on_state="skip_lost")
    reconcile(stage)

    assert [(each["partition"], each["skipped"]) for each in found["losses"]] == [(0, 25), (1, 2)]
    assert "is still being rebuilt" in found["state"][0]["why"]
    assert get_help(found, "skip_lost").startswith("Start the rebuild again from the records that are left.")
    assert refused["code"] == "deploy.offsets_lost"
    new = stage.run().read_plan()
    assert (new.epoch, new.topics[stage.orders].start, new.seed) == (old.epoch + 1, [25, 2], None)
    assert new.silent_until == {stage.orders: [30, 12]}


def test_another_version_waits_until_the_batches_were_carried_out_again(
    stage: Stage, host: str, reconcile: Any
) -> None:
    damaged(stage, reconcile, "state/0/1/5.changelog")

    found = preview(stage, summed(stage))

    assert "repair" not in list_ways(found)
    assert "Deploy that version first" in found["damaged"]


def test_batches_are_not_carried_out_again_without_their_records(stage: Stage, host: str, reconcile: Any) -> None:
    damaged(stage, reconcile, "state/0/1/3.changelog")
    delete_before(stage, [25, 12])

    found = preview(stage, stage.counting())

    assert {"repair", "rebuild"}.isdisjoint(list_ways(found))
    assert f"Some records of `{stage.orders}` that must be read again are gone." in found["damaged"]


def test_what_only_spark_could_not_read_is_known_from_the_failure(stage: Stage, host: str, reconcile: Any) -> None:
    damaged(stage, reconcile)
    stage.deploy(stage.job().topology)
    reconcile(stage)
    failure = {"code": "checkpoint.unreadable", "message": "Spark cannot read its checkpoint.", "retriable": False}
    move(stage.run(), Status.FAILED, failure=failure)

    found = preview(stage, stage.counting())

    assert found["damaged"].startswith("Spark cannot read its checkpoint.")
    assert list_ways(found) == ["rebuild", "fresh_from_now", "fresh_from_earliest"]


def test_a_version_does_not_take_state_from_files_that_were_damaged_after_its_deploy(
    stage: Stage, host: str, reconcile: Any
) -> None:
    old = damaged(stage, reconcile)
    stage.deploy(stage.redraw(stage.job().topology, stage.counting(start="latest")))
    cut(Path(old.checkpoint) / "state/0/1/5.changelog")

    reconcile(stage)

    job = stage.job()
    assert job.problem is not None
    assert (job.status(), job.problem["code"]) == ("failed", "epoch.unclean")
    assert "is damaged" in job.problem["message"]
