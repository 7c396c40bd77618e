"""Each route declares the refusals of its own subject: those that its code can raise."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import IntegrityError
from django.http import HttpRequest
from psycopg.errors import ForeignKeyViolation

from designer.projects.routing import ROUTES, strip_converters
from designer.refusal_codes import DesignerCode, RefusalCode
from designer.refusals import Conflict, NotFound
from runner.control.codes import ControlCode
from runner.control.jobs.services import StillRuns, get_job
from runner.kafka.codes import KafkaCode
from runner.outgoing import OutgoingCode
from runner.registry.codes import RegistryCode
from tests.webapp.refusals import find_refusals
from webapp.api import answer_gone, api

OF_ANY_REQUEST = (DesignerCode, KafkaCode, OutgoingCode, RegistryCode)
"""The form and rights of a request, the graph in it, and the clusters that the server asks for its answer."""


def list_views() -> Iterator[tuple[str, Callable[..., Any]]]:
    for prefix, router in api._routers:
        for path, view in router.path_operations.items():
            for operation in view.operations:
                for method in operation.methods:
                    yield f"{method} {strip_converters(prefix + path)}", operation.view_func


def find_codes(view: Callable[..., Any]) -> set[RefusalCode]:
    return {refusal.code for refusal in find_refusals(view) if not isinstance(refusal.code, OF_ANY_REQUEST)}


VIEWS = dict(list_views())


def test_all_routes_are_looked_at() -> None:
    assert VIEWS.keys() == ROUTES.keys() - {"GET /", "GET /openapi.json"}


@pytest.mark.parametrize("row", VIEWS)
def test_a_route_declares_what_its_code_refuses(row: str) -> None:
    assert find_codes(VIEWS[row]) - set(ROUTES[row].refuses) == set()


def test_a_route_names_no_refusal_that_any_request_may_get() -> None:
    assert [
        row for row, route in ROUTES.items() if any(isinstance(code, OF_ANY_REQUEST) for code in route.refuses)
    ] == []


def delete_a_job(job_id: int) -> None:
    job = get_job(job_id)
    raise make_refusal(job.name)


def make_refusal(name: str) -> StillRuns:
    return StillRuns(f"Job `{name}` runs.", "Stop it first.")


def test_a_refusal_is_found_behind_services_and_in_what_makes_it() -> None:
    assert {NotFound, StillRuns} <= find_refusals(delete_a_job)
    assert find_codes(delete_a_job) == {ControlCode.JOB_STILL_RUNS}


def test_two_requests_that_meet_are_refused_and_no_other_fault_of_the_database_is() -> None:
    """One deletes what the other writes below it (`designer.projects.services.delete_topology`)."""
    request = HttpRequest()
    met = IntegrityError("update or delete on table")
    met.__cause__ = ForeignKeyViolation()

    answer = answer_gone(request, met)

    assert (answer.status_code, json.loads(answer.content)["code"]) == (409, Conflict.code)
    with pytest.raises(IntegrityError, match="a name twice"):
        answer_gone(request, IntegrityError("a name twice"))
