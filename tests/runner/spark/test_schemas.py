"""The schemas that a run knows, without a registry."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from designer.values.schemas import SchemaText
from runner.plan import JobSettings, Plan
from runner.spark.schemas import FOLDER, Schemas
from runner.spark.source.unknown import SchemaPlace, make_failure

ORDER = SchemaText("AVRO", '{"type": "record", "name": "Order", "fields": []}')


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    source = {"topic": "orders", "value_format": "json", "schema_registry": True}
    return Plan(
        shared_shuffles=True,
        application_id="orders",
        epoch=1,
        generation=1,
        graph={"nodes": [{"id": "orders", "operator": "stream", "config": source}], "edges": []},
        schemas={},
        tasks=[1],
        slots=1,
        settings=JobSettings.model_validate({}),
        topics={},
        marker_topic="marker",
        checkpoint=str(tmp_path),
        state_dir="",
    )


@pytest.mark.parametrize("left", [b"", b'["AVRO", "{'])
def test_a_schema_that_a_power_cut_has_damaged_is_asked_for_again(plan: Plan, tmp_path: Path, left: bytes) -> None:
    before = Schemas(plan, lambda waiting: None)
    before._keep(7, ORDER)
    before._keep(8, ORDER)
    (tmp_path / FOLDER / "8.json").write_bytes(left)

    schemas = Schemas(plan, lambda waiting: None)
    schemas.load()

    assert schemas.known == {7: ORDER}


def test_the_log_says_that_a_batch_is_read_again(plan: Plan, caplog: pytest.LogCaptureFixture) -> None:
    """Spark and py4j log the end of a query as an error, although the run goes on."""
    schemas = Schemas(plan, lambda waiting: None)
    schemas.known[7] = ORDER

    with caplog.at_level("INFO"):
        is_waiting = schemas.learn(make_failure([SchemaPlace("orders", 0, 20, 7)]))

    assert not is_waiting
    assert caplog.messages == ["The errors above do not end the run: the batch needed schema 7, and is read again."]


def test_a_query_begins_while_schemas_come(plan: Plan) -> None:
    """Those of many subjects may still be fetched when the first query begins."""
    schemas = Schemas(plan, lambda waiting: None)
    schemas.known = dict.fromkeys(range(1_000), ORDER)
    is_over = threading.Event()

    def fetch() -> None:
        for number in range(1_000, 1_000_000):
            schemas.known[number] = ORDER
            if is_over.wait(0.00001):
                return

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    fetching = threading.Thread(target=fetch, daemon=True)
    fetching.start()
    try:
        known = [len(schemas.prepare(plan).registry_schemas) for _ in range(200)]
    finally:
        is_over.set()
        fetching.join()
        sys.setswitchinterval(before)

    assert known == sorted(known)
    assert known[0] >= 1_000
