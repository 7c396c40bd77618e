"""Which engine runs what of a job."""

from __future__ import annotations

from typing import Any

import pytest

from runner import kernel

from .conftest import Stage


def test_a_job_says_which_engine_runs_its_nodes_and_why(
    stage: Stage, host: str, reconcile: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = stage.deploy(stage.topology())
    before = stage.client.get(f"/api/jobs/{job['id']}/engines").json()
    reconcile(stage)

    told = stage.client.get(f"/api/jobs/{job['id']}/engines").json()
    monkeypatch.setenv(kernel.SWITCH, "off")
    told_off = stage.client.get(f"/api/jobs/{job['id']}/engines").json()

    assert before == []
    assert [use["nodes"] for use in told] == [use["nodes"] for use in told_off]
    assert told and all(use["nodes"] for use in told)
    assert all(use["reason"] == "" for use in told) or not kernel.is_built()
    assert {use["reason"] for use in told_off} == {"STREAMWRIGHT_KERNEL is off"}
