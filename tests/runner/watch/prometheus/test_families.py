"""What Prometheus gets of a job's numbers, and that what ships for it asks for nothing else."""

import json
import re
from pathlib import Path
from typing import Any

import yaml

from runner.watch.live.fleet import Fleet
from runner.watch.live.numbers import Numbers
from runner.watch.prometheus.families import FAMILIES

MONITORING = Path(__file__).parents[4] / "docker" / "monitoring"
NAME = re.compile(r"\bstreamwright_\w+")
FACTS: Any = {
    "application": "flights",
    "topology": "Flights",
    "version": "3",
    "host": "one",
    "cluster": "local",
    "spark": "",
    "recent_failures": 1,
}


def fleet(*, at: int = 10_000) -> Fleet:
    numbers = Numbers(["flights", "late"], ["flights"], 0)
    numbers.note_progress(
        {
            "type": "progress",
            "batch": 4,
            "started_at": at - 500,
            "committed_at": at,
            "duration_ms": 500,
            "records_in": 100,
            "nodes": {"late": {"in": 100, "out": 90, "dropped": 7, "errors": 3}},
            "drops": {"late": {"late": {"count": 5, "samples": []}, "null_key": {"count": 2, "samples": []}}},
            "outcomes": {"late": {"dead_letters": 3, "no_result": {}, "extra": 0, "waiting": 0}},
            "sources": {"flights": [60, 40]},
            "stores": {"late": {"rows": 2, "bytes": 80}},
            "dead_letters": 3,
            "latency_ms": 1_500,
        },
        at,
    )
    numbers.note_lost("10.0.0.2:4001", at)
    numbers.reach({"flights": [70, 40]}, {"flights": [75, 40]}, at)
    snapshot: Any = {
        "status": "running",
        "desired": "running",
        "generation": 2,
        "age_ms": 800,
        "is_stale": False,
        "numbers": numbers.to_json(at),
    }
    host: Any = {"host": "one", "up": True, "draining": False, "jobs": 1, "cores": 2, "memory_bytes": 8, "beat_at": 1.5}
    host |= {"memory_free_bytes": 5, "disk_bytes": 90, "disk_free_bytes": 40}
    return Fleet([(FACTS, snapshot)], [host])


def found(name: str, fleet: Fleet) -> dict[tuple[str, ...], float]:
    return dict(FAMILIES[f"streamwright_{name}"].samples(fleet))


def test_numbers_of_a_job_carry_its_application_id_and_base_units() -> None:
    now = fleet()

    assert found("job_info", now) == {("flights", "Flights", "3", "one", "local", ""): 1}
    assert found("job_status", now) == {("flights", "running"): 1}
    assert found("job_runs_total", now) == {("flights",): 2}
    assert found("job_recent_failures", now) == {("flights",): 1}
    assert found("executors_lost_total", now) == {("flights",): 1}
    assert found("records_read_total", now) == {("flights",): 100}
    assert found("latency_seconds", now) == {("flights",): 1.5}
    assert found("batch_duration_seconds", now) == {("flights",): 0.5}
    assert found("batch_committed_timestamp_seconds", now) == {("flights",): 10}
    assert found("numbers_age_seconds", now) == {("flights",): 0.8}


def test_nodes_reasons_and_partitions_have_values_of_their_own() -> None:
    now = fleet()

    assert found("node_records_in_total", now) == {("flights", "flights"): 0, ("flights", "late"): 100}
    assert found("node_records_dropped_total", now) == {
        ("flights", "late", "late"): 5,
        ("flights", "late", "null_key"): 2,
    }
    assert found("node_state_bytes", now) == {("flights", "late"): 80}
    assert found("source_lag_records", now) == {("flights", "flights", "0"): 10, ("flights", "flights", "1"): 0}
    assert found("source_waiting_records", now) == {("flights", "flights", "0"): 5, ("flights", "flights", "1"): 0}
    assert found("host_up", now) == {("one",): 1}
    assert found("host_disk_free_bytes", now) == {("one",): 40}
    assert found("source_changed", now) == {("flights", "flights"): 0}


def test_an_open_transaction_has_its_producer_as_a_label() -> None:
    now = fleet()
    assert found("source_open_transaction_timestamp_seconds", now) == {}

    held: Any = {"partition": 1, "producer_id": 4, "transactional_id": "orders-1", "since": 7_000, "timeout_ms": 60_000}
    numbers = now.jobs[0][1]["numbers"]
    assert numbers is not None
    numbers["sources"]["flights"]["held_by"] = held
    assert found("source_open_transaction_timestamp_seconds", now) == {("flights", "flights", "1", "orders-1"): 7}
    held["transactional_id"] = None
    assert found("source_open_transaction_timestamp_seconds", now) == {("flights", "flights", "1", "4"): 7}


def test_what_is_not_known_has_no_sample() -> None:
    stopped: Any = {
        "status": "stopped",
        "desired": "stopped",
        "generation": None,
        "age_ms": None,
        "is_stale": True,
        "numbers": None,
    }
    now = Fleet([(FACTS, stopped)], [])

    known = {name for name, family in FAMILIES.items() if list(family.samples(now))}

    jobs = ("info", "status", "desired", "recent_failures")
    assert known == {f"streamwright_job_{name}" for name in jobs}


def test_a_job_without_a_run_keeps_its_counts_and_has_no_values_of_now() -> None:
    now = fleet()
    running = {name for name, family in FAMILIES.items() if list(family.samples(now))}
    snapshot: Any = now.jobs[0][1]
    snapshot |= {"status": "stopped", "desired": "stopped", "age_ms": 60_000, "is_stale": True}

    stopped = {name for name, family in FAMILIES.items() if list(family.samples(now))}

    assert {"streamwright_lag_records", "streamwright_records_read_per_second"} <= running - stopped
    assert running - stopped == {name for name in running if FAMILIES[name].is_live}
    assert found("records_read_total", now) == {("flights",): 100}
    assert found("node_state_bytes", now) == {("flights", "late"): 80}
    assert found("host_up", now) == {("one",): 1}


def test_no_count_is_live() -> None:
    assert not [name for name, family in FAMILIES.items() if family.is_live and family.kind == "counter"]


def test_names_follow_prometheus() -> None:
    for name, family in FAMILIES.items():
        assert re.fullmatch(r"streamwright_[a-z]+(_[a-z]+)*", name)
        assert "_ms" not in name
        assert family.help.endswith(".")
        assert not {"job", "instance", "le", "quantile"} & set(family.labels), "Prometheus sets these itself"


def test_rules_and_dashboard_ask_for_metrics_and_labels_that_exist() -> None:
    rules = yaml.safe_load((MONITORING / "alerts.yml").read_text())
    dashboard = json.loads((MONITORING / "dashboard.json").read_text())
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    expressions = [rule["expr"] for rule in alerts]
    expressions += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    expressions += [each["query"] for each in dashboard["templating"]["list"]]

    assert {name for text in expressions for name in NAME.findall(text)} <= FAMILIES.keys()
    for rule in alerts:
        (name, *_) = [*NAME.findall(rule["expr"]), ""]
        labels = FAMILIES[name].labels if name else ("instance",)
        assert set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"])) <= set(labels)
