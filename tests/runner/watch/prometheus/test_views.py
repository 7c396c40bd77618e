"""`/metrics` over HTTP, with real Postgres and Redis."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from runner.control.jobs.models import AgentHost, Job, Run
from runner.watch.live.numbers import Numbers
from runner.watch.live.outbox import LiveOutbox, LiveUpdate
from runner.watch.live.snapshot import read_clock

pytestmark = pytest.mark.services
TOKEN = "a token for Prometheus"


@pytest.fixture(autouse=True)
def token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN


def scraped(given: str) -> Any:
    return Client().get("/metrics", headers={"authorization": given})


def test_a_scrape_has_all_jobs_and_hosts(job: Job, run_of: Callable[..., Run], redis_url: str) -> None:
    run = run_of("one")
    AgentHost.objects.create(name="one", boot_id="b", cores=2, memory_bytes=1_024)
    numbers = Numbers(["flights"], ["flights"], read_clock())
    outbox = LiveOutbox()
    outbox.post(LiveUpdate(job.id, {"type": "job.progressed"}, numbers.to_json(read_clock())))
    outbox.close()

    response = scraped(f"Bearer {TOKEN}")

    families = {each.name: each for each in text_string_to_metric_families(response.content.decode())}
    (info,) = families["streamwright_job_info"].samples
    assert info.labels["application"] == job.application_id
    assert info.labels["host"] == run.host
    assert [sample.value for sample in families["streamwright_records_read"].samples] == [0]
    assert {sample.labels["host"]: sample.value for sample in families["streamwright_host_jobs"].samples} == {"one": 1}
    assert response["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer another token of some length", f"Basic {TOKEN}", "Bearer é"])
def test_others_are_refused(transactional_db: None, given: str) -> None:
    response = scraped(given)

    assert (response.status_code, response.json()["code"]) == (401, "metrics.not_permitted")
    assert response["WWW-Authenticate"] == "Bearer"


def test_a_session_is_no_token(client: Client) -> None:
    assert client.get("/metrics").status_code == 401


def test_without_a_token_there_are_no_metrics(transactional_db: None, settings: Any) -> None:
    settings.METRICS_TOKEN = None

    response = scraped("Bearer ")

    assert (response.status_code, response.json()["code"]) == (404, "metrics.off")
    assert "STREAMWRIGHT_METRICS_TOKEN" in response.json()["hint"]
