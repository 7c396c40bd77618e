"""How many slots a job gets if none are named."""

import os
import time
from dataclasses import replace
from typing import Any

import pytest

from runner.control.clusters.cores import Room
from runner.control.clusters.models import SparkCluster
from runner.control.clusters.services import get_local_cluster
from runner.control.jobs.plans.facts import Facts, collect_facts, count_lag
from runner.control.jobs.plans.planner import LARGE_LAG, choose_max_slots, make_plan
from runner.control.jobs.plans.preview import look_ahead
from runner.control.jobs.plans.remains import EARLIEST, LATEST
from runner.control.jobs.targets import Target
from runner.plan import JobSettings, TopicFacts
from tests.runner.control.clusters.test_cores import master

from .conftest import Stage
from .test_losses import delete_before, fill
from .test_state import batch_done, ended


@pytest.fixture
def facts(stage: Stage) -> Facts:
    """Of a job that was never deployed."""
    return collect_facts(stage.topology().draft, target(stage))


def target(stage: Stage, spark: SparkCluster | None = None) -> Target:
    return Target(None, stage.name, JobSettings.model_validate({}), get_local_cluster(), spark)


def lag(stage: Stage, start: int) -> int:
    topic = stage.cluster.topic(stage.orders)
    facts = TopicFacts(id=topic.id, partitions=topic.partitions, start=[start] * topic.partitions)
    return count_lag({topic.name: facts}, stage.cluster)


def test_a_new_job_gets_one_slot_where_its_lag_is_small(facts: Facts) -> None:
    assert make_plan(replace(facts, lag=LARGE_LAG - 1)).plan.slots == 1


def test_a_new_job_gets_a_slot_for_each_core_where_its_lag_is_large(facts: Facts) -> None:
    assert facts.cores == os.cpu_count()
    assert [make_plan(replace(facts, lag=LARGE_LAG, cores=cores)).plan.slots for cores in (1, 2, 8)] == [1, 2, 2]
    assert list(map(choose_max_slots, (1, 3, 40, None))) == [1, 3, 4, 4]


def test_on_a_spark_cluster_its_cores_count(stage: Stage) -> None:
    with master({"cores": 3, "coresused": 1, "activeapps": [], "status": "ALIVE"}) as spark:
        facts = collect_facts(stage.topology().draft, target(stage, spark))

    assert (facts.cores, facts.room) == (3, Room(total=3, free=2))


def test_a_preview_says_what_is_free_without_asking_the_master_again(stage: Stage) -> None:
    with master({"cores": 3, "coresused": 1, "activeapps": [], "status": "ALIVE"}) as spark:
        facts = collect_facts(stage.topology().draft, target(stage, spark))

    preview = look_ahead(facts, make_plan(facts))

    assert (preview.spark, preview.room) == ("blue", "Cores of Spark cluster `blue`: 3, free: 2. The job takes 2.")


def test_a_setting_names_the_slots_and_tasks_limit_them(facts: Facts) -> None:
    wanted = replace(facts.target, settings=facts.target.settings.model_copy(update={"slots": 8}))

    assert make_plan(replace(facts, target=wanted)).plan.slots == 2


def test_a_job_keeps_the_slots_that_it_has(stage: Stage, host: str, reconcile: Any) -> None:
    stage.deploy(stage.topology(), settings={"slots": 2})
    reconcile(stage)
    batch_done(stage, stage.run().read_plan(), 5, [0, 0])
    ended(stage)

    stage.deploy(stage.job().topology, settings={"slots": 0})
    reconcile(stage)

    assert (stage.run().read_plan().slots, stage.run().read_plan().epoch) == (2, 1)


def test_records_that_a_new_job_reads_from_the_start_are_its_lag(stage: Stage) -> None:
    fill(stage, [30, 12])
    delete_before(stage, [10, 0])

    assert lag(stage, EARLIEST) == 32
    assert lag(stage, 5) == 20 + 7


def test_records_of_the_last_minute_are_the_lag_of_a_job_that_reads_from_the_end(stage: Stage) -> None:
    minutes_ago = int(time.time() * 1_000) - 300_000
    fill(stage, [30, 12], timestamp=minutes_ago)
    before = lag(stage, LATEST)
    fill(stage, [3, 4])

    assert (before, lag(stage, LATEST)) == (0, 7)
