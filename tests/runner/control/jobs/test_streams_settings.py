"""Kafka Streams' settings: the page and the product say the same, and name only what there is."""

from __future__ import annotations

import re

from django.conf import settings

from runner.control.jobs.streams_settings import STREAMS_SETTINGS
from runner.plan import JobSettings

from .conftest import Stage


def test_the_page_has_the_same_table() -> None:
    page = (settings.BASE_DIR / "docs" / "semantics.md").read_text()

    for streams, here in STREAMS_SETTINGS:
        assert f"| {streams} | {here} |" in page


def test_every_setting_of_a_job_that_stands_for_one_exists() -> None:
    named = {word for _, here in STREAMS_SETTINGS for word in re.findall(r"`([a-z_]+)`", here)}

    assert named - set(JobSettings.model_fields) == {"repartition"}


def test_the_handlers_are_found_by_their_older_names_too() -> None:
    named = " ".join(streams for streams, _ in STREAMS_SETTINGS)

    for handler in ("deserialization", "production"):
        assert f"`default.{handler}.exception.handler`" in named


def test_who_looks_for_changelog_topics_is_told_how_to_draw_one() -> None:
    (said,) = (here for streams, here in STREAMS_SETTINGS if "changelog topics" in streams)

    assert "to_stream and to" in said


def test_they_are_told_over_http(stage: Stage) -> None:
    told = {each["streams"]: each["here"] for each in stage.client.get("/api/jobs/streams-settings").json()}

    assert told["`num.stream.threads`"] == "`slots`"
