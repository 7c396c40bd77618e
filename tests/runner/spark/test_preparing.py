"""What a run does before its query starts."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from runner.kafka import KafkaCluster, TopicMissing
from runner.plan import TopicFacts
from runner.spark.checkpoint.batch_log import BatchLog
from runner.spark.failures import of_refusal
from runner.spark.preparing import clear, refuse_changed


def test_a_topic_that_was_deleted_is_created_again_and_the_job_deployed(kafka_servers: str):
    name = f"orders-{uuid4().hex[:8]}"

    with pytest.raises(TopicMissing) as missing:
        refuse_changed({name: TopicFacts(id="id", partitions=1, start=[0])}, KafkaCluster(kafka_servers))

    failure = of_refusal(missing.value)
    assert failure.code == "topic.missing"
    assert failure.hint.startswith("Create it again, then deploy the job: the dialog offers to keep its state")


def test_the_first_batch_after_a_reboot_begins_where_the_last_one_before_it_ended(tmp_path: Path):
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    earlier, now = BatchLog(tmp_path / "an-earlier-boot"), BatchLog(tmp_path / boot)
    earlier.append(4, {"time": 1, "streams": {"orders": [7, 9]}})
    (tmp_path / "an-earlier-boot" / "stage-1").mkdir()
    with earlier.file.open("ab") as file:  # as a power cut may leave it
        file.write(bytes(40))

    clear(tmp_path)
    now.append(5, {"time": 2, "streams": {"orders": [8, 9]}})
    clear(tmp_path)

    assert [(each.number, each.start) for each in now.read()] == [(4, None), (5, {"orders": [7, 9]})]
    assert [path.name for path in tmp_path.iterdir()] == [boot]
