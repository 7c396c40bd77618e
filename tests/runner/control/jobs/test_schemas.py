"""What is kept of jobs is shown whatever an earlier version wrote."""

from __future__ import annotations

import warnings
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model
from pydantic import TypeAdapter

from runner.control.jobs.models import JobEvent
from runner.control.jobs.schemas import EventOut, StoredCause
from runner.plan import JobSettings

ADA = get_user_model()(username="ada")
NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)


def shown(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    event = JobEvent(what="deploy", by=ADA, at=NOON, before=before, after=after)
    return EventOut.of(event).model_dump(mode="json", exclude_unset=True)


def test_an_event_says_what_was_kept_of_a_job() -> None:
    kept = {"name": "orders", "desired": "running", "version": 3, "spark": "", "on_state": "keep"}

    assert shown({}, kept)["after"] == kept


def test_settings_of_an_earlier_version_are_shown_with_the_defaults_of_this_one() -> None:
    kept = {"settings": {"tasks": 4, "guarantee": "exactly_once", "forgotten": True}}

    settings = EventOut.of(JobEvent(what="deploy", by=ADA, at=NOON, after=kept)).after["settings"]

    assert settings == JobSettings.model_validate({"tasks": 4})
    assert shown({}, kept)["after"]["settings"] == {"tasks": 4, "guarantee": "exactly_once"}


def test_a_redrive_is_no_change_of_a_job() -> None:
    kept = {"redrive": 7, "records": 12, "edited": False}

    assert shown({}, kept) == {"what": "deploy", "by": "ada", "at": "2026-11-27T12:00:00Z", "before": {}, "after": kept}


def test_a_cause_is_sent_with_its_code_and_one_of_another_version_with_a_code_that_is_known() -> None:
    kept = {"code": "run.stuck", "message": "The run is stuck.", "hint": "Wait.", "batch": 3}
    causes: TypeAdapter[Any] = TypeAdapter(StoredCause)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert causes.dump_python(kept, mode="json") == kept
        assert causes.dump_python(kept | {"code": "run.bored"}, mode="json") == kept | {"code": "unknown"}
