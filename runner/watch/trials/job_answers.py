"""Answers questions over the kept past of a job (`runner.spark.past`)."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from contextlib import closing
from typing import Any

from designer.refusals import NotFound
from runner.engine.following.follow import SECONDS, describe_written, find_writers
from runner.engine.following.steps import ShownSides
from runner.engine.queryable import Query
from runner.engine.records.record import Origin
from runner.plan import Plan
from runner.spark.past.batches import look_at, make_condition, search
from runner.spark.past.candidate import CandidateFollower, list_inputs
from runner.spark.past.following import BatchFollower
from runner.spark.past.rows import find_changes, list_writes
from runner.spark.past.tables import find_topic_rows, read_table
from runner.spark.program import Program, make_program
from runner.watch.trials import following, questions
from runner.watch.trials.records import read_batch, read_records


def answer(question: questions.JobQuestion[Any]) -> Mapping[str, Any]:
    """An answer over the state of a job (`runner.spark.past`)."""
    program = make_program(Plan.model_validate(question.plan))
    match question:
        case questions.AskWayInJob() | questions.AskInputsInJob():
            return _follow_in_job(program, question)
        case questions.AskBatch():
            return look_at(program, read_batch(question.batch), question.node, question.port)
        case questions.AskTable():
            return read_table(program, question.store, question.time, Query.model_validate(question.query))
        case questions.AskTopicRows():
            return {"rows": find_topic_rows(program, question.time, question.keys)}
        case questions.AskSteps():
            return _step(program, question)
        case questions.AskSearch():
            condition = make_condition(program, question.node, question.port, question.condition)
            batches = list(map(read_batch, question.batches))
            return search(program, batches, question.node, question.port, condition)
        case questions.AskChanges():
            changes = find_changes(program, question.row, set(question.times), question.until)
            return changes._asdict() | {"key": changes.key.hex()}
        case questions.AskWrites():
            until = None if question.until is None else (question.until[0], Origin(*question.until[1]))
            batches = list(map(read_batch, question.batches))
            return {"writes": list_writes(program, batches, bytes.fromhex(question.key), until)}
    raise TypeError(type(question))


def _follow_in_job(
    program: Program, question: questions.AskWayInJob | questions.AskInputsInJob
) -> questions.FollowedInBatch | questions.FoundInputs:
    """The steps of a record in its batch, or the inputs that made an output of it there. Raises NotFound."""
    until = time.monotonic() + SECONDS
    for batch in map(read_batch, question.batches):
        with closing(BatchFollower(program, batch)) as follower:
            origin, nodes, made = _find_start(follower, question)
            if origin is not None and isinstance(question, questions.AskInputsInJob):
                return following.find_inputs(follower, origin, question.output)
            if origin is not None:
                records = sum(len(each.offsets) for _, _, each in batch.arrivals)
                return {**following.describe_way(follower, origin, nodes, made), "time": batch.time, "records": records}
        if time.monotonic() > until:
            break
    if question.row is not None:
        raise NotFound(
            "No record made the last change of this row. The table deleted it when its window or time to live ended.",
            "Follow a newer row.",
        )
    if question.newest is not None:
        raise NotFound(
            "No record of the newest batches reached this node.", "Wait for one, or look at a node before it."
        )
    raise NotFound("None of the newest batches of the job made this record.", "Follow a newer one.")


def _find_start(
    follower: BatchFollower, question: questions.WayInJobQuestion[Any]
) -> tuple[Origin | None, Collection[str], ShownSides | None]:
    """The input to follow, None if this batch does not have it; nodes to look at first, with the record there."""
    if question.origin is not None:
        return Origin(*question.origin), (), None
    if question.row is not None:
        return follower.find_writer(bytes.fromhex(question.row["key"])), {question.row["node"]}, None
    if question.newest is not None:
        return follower.find_newest(question.newest), {question.newest}, None
    ((topic, row),) = read_records([question.made or []])
    writers = find_writers(follower.layout, topic)
    return follower.find_input(topic, row), writers, describe_written(follower.layout, topic, row)


def _step(program: Program, question: questions.AskSteps) -> questions.SteppedThrough:
    """The steps of one input record of a batch, and all of its inputs. With a candidate, through that version."""
    batch = read_batch(question.batch)
    follower = BatchFollower(program, batch)
    if candidate := question.candidate:
        version = make_program(Plan.model_validate(candidate["plan"]))
        follower = CandidateFollower(program, version, candidate["stores"], batch)
    with closing(follower):
        inputs = list_inputs(follower)
        if not inputs:
            raise NotFound("The batch read no record that this version reads.", "Choose another batch.")
        origin = Origin(*question.origin) if question.origin else inputs[0]
        descriptions = follower.describe_inputs(inputs)
        return {**following.describe_way(follower, origin), "inputs": following.list_inputs(descriptions, inputs)}
