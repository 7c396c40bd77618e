"""Pinned batches of a job: their manifests stay, whatever their age."""

from __future__ import annotations

import time

from django.contrib.auth.models import AbstractUser

from designer.refusals import Conflict, NotFound
from runner.control.jobs.models import Job
from runner.control.jobs.plans.taking_over import read_kept_plan
from runner.engine.records.record import OriginJson
from runner.spark.checkpoint.batch_log import FOLDER, KEPT_BYTES, KEPT_DAYS, MAX_PINS, BatchLog, Pin
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.failures import read_checkpoint
from runner.spark.program import make_program
from runner.watch.proving.schemas import PinOut, PinsOut
from runner.watch.proving.services import NothingKept


def list_pins(*, job: Job) -> PinsOut:
    """The pinned batches of a job, oldest first, and the limits of what is kept. Raises NothingKept without a run."""
    with read_checkpoint():
        pins = _open_log(job).read_pins()
    kept_pins = [PinOut(**pin._asdict()) for pin in pins]
    return PinsOut(pins=kept_pins, max_pins=MAX_PINS, kept_days=KEPT_DAYS, kept_bytes=KEPT_BYTES)


def pin(*, job: Job, batch: int, by: AbstractUser, note: str, record: OriginJson | None = None) -> PinsOut:
    """Keep the manifest of a batch until it is unpinned, for an input record of it.

    Raises NotFound if it is gone, Conflict if there are many.
    """
    with read_checkpoint():
        log = _open_log(job)
        manifests = [each for each in log.read_kept() if each.number == batch]
        if not manifests:
            raise NotFound(f"Batch {batch} of {job} is not kept.", "Choose a newer batch.")
        others = [each for each in log.read_pins() if each.batch != batch]
        if len(others) >= MAX_PINS:
            raise Conflict(f"{MAX_PINS} batches of {job} are pinned.", "Unpin one that you no longer need.")
        log.pin(Pin(batch, manifests[0].time, time.time_ns() // 1_000_000, by.get_username(), note, record))
    return list_pins(job=job)


def unpin(*, job: Job, batch: int) -> PinsOut:
    """Let a manifest go when its time comes. Raises NotFound if it is not pinned."""
    with read_checkpoint():
        if not _open_log(job).unpin(batch):
            raise NotFound(f"Batch {batch} of {job} is not pinned.", "List the pinned batches.")
    return list_pins(job=job)


def _open_log(job: Job) -> BatchLog:
    run = job.find_last_run()
    if run is None:
        raise NothingKept(f"{job} has not run yet.", "Deploy it first.")
    plan = run.connect_plan().model_copy(update={"checkpoint": read_kept_plan(run).checkpoint})
    return BatchLog(make_program(plan).host_directory, get_file(plan.checkpoint) / FOLDER)
