"""Damaged checkpoints: which file, of which batch and whose state, and what can be made whole again."""

from collections.abc import Callable
from pathlib import Path

import pytest

from runner.plan import JobSettings, Plan, Seed, TopicFacts
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.checkpoint import Checkpoint
from runner.spark.failures import RunFailed, read_failure
from runner.spark.program import make_program
from runner.spark.repair.damage import Examination, refuse_damaged
from runner.spark.repair.repair import Repair
from runner.spark.sink.marker import Marker

from ..checkpoints import DAMAGES, QUERY, cut, leave_checkpoint, lose, planned
from ..runs import counting, shops

BATCHES = 6
LAST = BATCHES - 1
MARKER = Marker(LAST, QUERY, 1, "what it was", time=1_000 + LAST)
Damaging = Callable[[Path], None]


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    """One that has one operator with two slots, and has committed batches 0 to 5."""
    plan = Plan(
        shared_shuffles=True,
        application_id="app",
        epoch=1,
        generation=1,
        graph=counting("orders", "counts").to_json(),
        schemas={},
        tasks=[2],
        slots=2,
        settings=JobSettings.model_validate({}),
        topics={"orders": TopicFacts(id="1", partitions=2, start=[-2, -2])},
        marker_topic="markers",
        checkpoint=str(tmp_path),
        state_dir=str(tmp_path / "working"),
    )
    leave_checkpoint(plan, BATCHES, snapshots=(2, 4))
    return plan


def examined(plan: Plan, *, deep: bool = False) -> Examination:
    return Examination(make_program(plan), Checkpoint(plan.checkpoint), LAST, is_deep=deep)


def repaired(plan: Plan) -> Repair:
    """The repair of a checkpoint, executed; what it leaves is intact."""
    repair = Repair.find(examined(plan), MARKER)
    assert repair is not None
    repair.carry_out({"orders": [60, 61]})
    assert examined(plan, deep=True).damage == []
    return repair


def test_nothing_is_damaged_of_a_checkpoint_that_is_whole(plan: Plan):
    found = examined(plan, deep=True)

    assert (found.damage, found.newest_whole) == ([], LAST)
    refuse_damaged(found)


def test_the_first_batch_of_a_seeded_epoch_is_not_executed_again_without_its_seed(plan: Plan):
    """As after a power cut that took Spark's records: its state would then lack the kept stores."""
    for record in (Path(plan.checkpoint) / "commits").iterdir():
        record.unlink()
    (older := Path(plan.checkpoint) / "epoch-0").mkdir()
    seeded = plan.model_copy(update={"is_seeded": True})
    seed = Seed(checkpoint=str(older), plan={}, stores=[])

    found = examined(seeded)

    assert examined(plan).damage == examined(seeded.model_copy(update={"seed": seed})).damage == []
    assert [(each.kind, each.file) for each in found.damage] == [("commits", "commits/0")]
    assert repaired(seeded).back_to == LAST


@pytest.mark.parametrize("damaging", DAMAGES)
@pytest.mark.parametrize(
    ("file", "kind", "batch", "slot", "newest"),
    [
        ("metadata", "metadata", None, None, LAST),
        ("offsets/5", "offsets", 5, None, 4),
        ("offsets/4", "offsets", 4, None, LAST),
        ("commits/5", "commits", 5, None, 4),
        ("state/0/1/6.changelog", "changelog", 5, 1, 4),
        ("state/0/0/5.changelog", "changelog", 4, 0, 3),
        ("state/0/0/4.zip", "snapshot", 3, 0, LAST),
        ("state/0/_metadata/v2/0", "schema", None, None, LAST),
        ("state/0/_stateSchema/default/0_a08c105b", "schema", None, None, LAST),
    ],
)
def test_each_kind_of_file_is_named_with_its_batch_slot_and_time(
    plan: Plan, damaging: Damaging, file: str, kind: str, batch: int | None, slot: int | None, newest: int
):
    damaging(path := Path(plan.checkpoint) / file)

    (found,) = examined(plan).damage

    assert (found.kind, found.file, found.batch, found.slot) == (kind, file, batch, slot)
    assert found.at == round(path.stat().st_mtime * 1_000)
    assert found.nodes == (("counted",) if kind in ("changelog", "snapshot", "schema") else ())
    assert examined(plan).newest_whole == newest


@pytest.mark.parametrize("damaging", [*DAMAGES, lose])
def test_a_table_of_a_snapshot_is_looked_at_by_size_and_by_contents_when_a_run_has_failed(
    plan: Plan, damaging: Damaging
):
    damaging(Path(plan.checkpoint) / "state/0/1/SSTs/4.sst")

    by_size, by_contents = examined(plan).damage, examined(plan, deep=True).damage

    assert [each.file for each in by_contents] == ["state/0/1/4.zip"]
    assert by_contents[0].why.startswith("needs 4.sst, which ")
    assert bool(by_size) is (damaging.__name__ != "flip")


def test_the_state_of_the_last_stage_lies_first(plan: Plan):
    two = plan.model_copy(update={"graph": shops("orders", "names", "counts").to_json(), "tasks": [2, 2]})
    facts = plan.topics | {"names": TopicFacts(id="2", partitions=1, start=[-2])}
    found = examined(two.model_copy(update={"topics": facts}))

    assert [found.nodes_of(operator) for operator in (0, 1)] == [("counted",), ("names",)]


def test_what_no_start_reads_is_not_looked_at(plan: Plan):
    for file in ("offsets/3", "commits/4", "state/0/0/3.changelog", "state/0/0/2.zip"):
        cut(Path(plan.checkpoint) / file)

    assert examined(plan).damage == []


def test_batches_beyond_the_marker_may_be_damaged_for_they_are_forgotten(plan: Plan):
    cut(Path(plan.checkpoint) / "offsets" / "5")
    cut(Path(plan.checkpoint) / "state/0/0/6.changelog")

    assert Examination(make_program(plan), Checkpoint(plan.checkpoint), LAST - 1).damage == []


def test_without_checksums_the_form_of_a_file_says_that_it_is_cut_off(plan: Plan):
    folder = Path(plan.checkpoint)
    for beside in folder.rglob(".*.crc"):
        beside.unlink()
    assert examined(plan, deep=True).damage == []
    for file in ("metadata", "offsets/5", "commits/5", "state/0/0/6.changelog", "state/0/1/4.zip"):
        cut(folder / file)

    assert {each.why for each in examined(plan).damage} == {"is cut off"}
    assert len(examined(plan).damage) == 5


def test_what_the_file_system_does_not_give_is_not_called_damaged(plan: Plan):
    sums = Path(plan.checkpoint) / "offsets" / ".5.crc"
    sums.unlink()
    sums.symlink_to("/proc/self/mem")  # reading it fails

    with pytest.raises(OSError, match="Input/output error"):
        refuse_damaged(examined(plan))
    with pytest.raises(OSError, match="Input/output error"):
        Repair.find(examined(plan), MARKER)


def test_the_failure_says_what_is_damaged_since_when_and_is_not_tried_again(plan: Plan):
    cut(Path(plan.checkpoint) / "state/0/1/6.changelog")

    with pytest.raises(RunFailed) as raised:
        refuse_damaged(examined(plan))

    assert (raised.value.code, raised.value.retriable) == ("checkpoint.damaged", False)
    assert "`state/0/1/6.changelog` does not match its checksum" in raised.value.message
    assert "It holds what batch 5 changed in the state of `counted`, slot 2" in raised.value.message
    assert raised.value.message.endswith("The newest complete batch is 4.")


def test_what_only_spark_meets_is_no_failure_to_be_tried_again():
    said = "org.apache.hadoop.fs.ChecksumException: Checksum error: file:/state/0/0/SSTs/4.sst at 0"

    failure = read_failure(RuntimeError(said))

    assert (failure.code, failure.retriable) == ("checkpoint.unreadable", False)


@pytest.mark.parametrize("damaging", DAMAGES)
@pytest.mark.parametrize(
    "files",
    [
        ["metadata"],
        ["offsets/5"],
        ["offsets/4"],
        ["commits/5"],
        ["metadata", "offsets/5", "offsets/4", "commits/5"],
        ["state/0/0/4.zip", "state/0/1/4.zip"],
        ["state/0/0/4.zip", "state/0/0/2.zip"],
        ["state/0/1/SSTs/4.sst"],
    ],
)
def test_what_is_written_elsewhere_too_is_written_anew_and_the_state_stays(
    plan: Plan, damaging: Damaging, files: list[str]
):
    for file in files:
        damaging(Path(plan.checkpoint) / file)

    repair = repaired(plan)

    checkpoint = Checkpoint(plan.checkpoint)
    assert (repair.back_to, list(repair.repeats), checkpoint.query_id) == (LAST, [], QUERY)
    assert (checkpoint.find_last_planned(), checkpoint.find_last_committed()) == (LAST, LAST)
    assert checkpoint.offsets(LAST) == {"orders": [60, 61] if "offsets/5" in files else [60, 60]}


@pytest.mark.parametrize("damaging", [*DAMAGES, lose])
@pytest.mark.parametrize(
    ("files", "back_to"),
    [
        (["state/0/1/6.changelog"], 4),
        (["state/0/1/6.changelog", "offsets/5"], 4),
        (["state/0/1/5.changelog"], 3),
        (["state/0/1/5.changelog", "state/0/0/4.zip", "metadata", "commits/3"], 3),
        (["state/0/1/4.zip", "state/0/1/4.changelog"], 2),
        (["state/0/0/1.changelog", "state/0/0/2.zip", "state/0/0/4.zip"], -1),
    ],
)
def test_a_batch_before_is_gone_back_to_and_those_behind_it_are_planned_as_they_were(
    plan: Plan, damaging: Damaging, files: list[str], back_to: int
):
    for file in files:
        damaging(Path(plan.checkpoint) / file)

    repair = repaired(plan)

    checkpoint, repeats = Checkpoint(plan.checkpoint), range(back_to + 1, BATCHES)
    assert (repair.back_to, repair.repeats) == (back_to, repeats)
    assert checkpoint.find_last_committed() == (back_to if back_to >= 0 else None)
    assert checkpoint.find_last_planned() == LAST
    assert [end["time"] for end in checkpoint.read_planned_again()] == [1_000 + batch for batch in repeats]


def test_a_batch_carried_out_again_as_it_was_has_the_hash_that_it_had(plan: Plan):
    cut(Path(plan.checkpoint) / "state/0/1/6.changelog")
    repaired(plan)
    file = Path(plan.checkpoint) / "offsets" / str(LAST)

    whole.write(file, planned(plan, LAST, {"of": "another start"}))
    as_it_was = Checkpoint(plan.checkpoint).fingerprint(LAST)
    whole.write(file, planned(plan, LAST + 1))
    otherwise = Checkpoint(plan.checkpoint).fingerprint(LAST)

    assert as_it_was == MARKER.fingerprint
    assert otherwise != MARKER.fingerprint


def test_a_repair_that_was_cut_short_is_begun_anew(plan: Plan):
    cut(Path(plan.checkpoint) / "state/0/1/5.changelog")
    repaired(plan)
    cut(Path(plan.checkpoint) / "state/0/1/4.changelog")
    cut(Path(plan.checkpoint) / "state/0/1/4.zip")

    assert repaired(plan).back_to == 2


@pytest.mark.parametrize(
    "files",
    [
        ["state/0/_stateSchema/default/0_a08c105b"],
        ["state/0/1/5.changelog", "offsets/4"],
        [f"offsets/{batch}" for batch in range(BATCHES)],
    ],
)
def test_what_stands_nowhere_else_cannot_be_made_whole(plan: Plan, files: list[str]):
    for file in files:
        cut(Path(plan.checkpoint) / file)

    assert examined(plan).damage
    assert Repair.find(examined(plan), MARKER) is None
