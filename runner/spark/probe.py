"""What a test of a Spark cluster is asked and answers; `probing.py` carries it out in a process of its own."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from runner.plan import Executors


class Probe(BaseModel):
    """What to try. `product`: whose the folder becomes. `kafka`: settings of the cluster that executors must reach."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    executors: Executors
    checkpoint_root: str
    product: str
    kafka: dict[str, str]


class HostSeen(BaseModel):
    """A host with executors. `kafka` says why it does not reach Kafka; empty: it does."""

    host: str
    python: str
    kafka: str


class Seen(BaseModel):
    """What the job found. `problem` says why it did not end, `checkpoint` what is wrong with the checkpoint folder."""

    hosts: list[HostSeen] = []
    checkpoint: str = ""
    problem: str = ""
