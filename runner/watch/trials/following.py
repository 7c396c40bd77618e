"""Describes the way of a record, and the inputs that made one, as answers say them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import cast

from runner.engine.following.follow import Follower, Output, describe_record, find_last_step
from runner.engine.following.steps import ShownRecord, ShownSides
from runner.engine.records.record import Origin
from runner.watch.trials import questions


def describe_way(
    follower: Follower, origin: Origin, nodes: Collection[str] = (), made: ShownSides | None = None
) -> questions.Followed:
    """The steps of a record, starting with the last at one of these nodes, if there is one with the record `made`."""
    steps = follower.follow(origin)
    descriptions = follower.describe_inputs({each for step in steps for each in step.met} | {origin})
    shown = [{**vars(step), "met": list_inputs(descriptions, step.met)} for step in steps]
    return {
        "steps": cast(list[questions.ShownStep], shown),
        "origin": origin.to_json(),
        "at": find_last_step(steps, nodes, made),
    }


def find_inputs(follower: Follower, origin: Origin, output: questions.Output) -> questions.FoundInputs:
    """The inputs that made an output of a record."""
    causes = follower.inputs_of(origin, Output(output["node"], output["port"], describe_record(output["record"])))
    descriptions = follower.describe_inputs({*causes.inputs, *causes.unsure})
    return {
        "inputs": list_inputs(descriptions, causes.inputs),
        "unsure": list_inputs(descriptions, causes.unsure),
    }


def list_inputs(descriptions: Mapping[Origin, ShownRecord], of: Iterable[Origin]) -> list[questions.InputRecord]:
    blank: ShownRecord = {"key": None, "window": None, "value": None, "timestamp": 0}
    return [{**descriptions.get(each, blank), "origin": each.to_json()} for each in of]
