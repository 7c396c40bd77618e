"""`/metrics`: the answer to Prometheus, for clients with the token."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from designer.refusals import Refusal
from runner.watch.codes import WatchCode
from runner.watch.live.fleet import Fleet, read_fleet
from runner.watch.prometheus.families import FAMILIES

KINDS = {"counter": CounterMetricFamily, "gauge": GaugeMetricFamily}


class MetricsOff(Refusal):
    """No token is set, so no one may read the metrics."""

    code = WatchCode.METRICS_OFF
    status = 404


class MetricsNotPermitted(Refusal):
    """The token is missing or wrong."""

    code = WatchCode.METRICS_NOT_PERMITTED
    status = 401


@login_not_required
@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics in Prometheus' text format, or a refusal as JSON.

    Example: `curl -H "Authorization: Bearer $STREAMWRIGHT_METRICS_TOKEN" http://localhost:8000/metrics`.
    """
    try:
        _refuse_strangers(request.headers.get("Authorization", ""))
    except Refusal as refusal:
        headers = {"WWW-Authenticate": "Bearer"} if refusal.status == HTTPStatus.UNAUTHORIZED else {}
        return JsonResponse(refusal.to_json(), status=refusal.status, headers=headers)
    registry = CollectorRegistry()
    registry.register(Scrape(read_fleet()))
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class Scrape(Collector):
    """All families with their samples of the fleet."""

    def __init__(self, fleet: Fleet) -> None:
        self.fleet = fleet

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        for name, family in FAMILIES.items():
            metric = KINDS[family.kind](name, family.help, labels=family.labels)
            for labels, value in family.samples(self.fleet):
                metric.add_metric(labels, value)
            yield metric


def _refuse_strangers(authorization: str) -> None:
    """Raises MetricsOff and MetricsNotPermitted."""
    token = settings.METRICS_TOKEN
    if not token:
        raise MetricsOff("Metrics are off.", "Set STREAMWRIGHT_METRICS_TOKEN on the server, and start it again.")
    scheme, _, given_token = authorization.partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(given_token.strip().encode(), token.encode()):
        raise MetricsNotPermitted(
            "The token for metrics is missing or wrong.",
            "Send `Authorization: Bearer` with the value of STREAMWRIGHT_METRICS_TOKEN.",
        )
