"""What is kept of jobs is shown whatever an earlier version wrote."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model

from runner.control.jobs.answers import EventOut
from runner.control.jobs.models import JobEvent
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
