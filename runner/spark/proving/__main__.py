"""`python -m runner.spark.proving`: executes kept batches again, as its parent asks (`process.py`).

The first message is a `Question`. With a candidate, both versions execute the batches. Each further message is a
batch, a batch that only rebuilds the candidate's state, None to ask for a report on both versions, or the path of a
file to write corrections to, and the candidate's state beside it. If the batches begin with `rows`, the report has the
`last` value of each key of each topic.

Each answer is a line of JSON: `ready` once the state before the first batch is there, then `Executed` for each batch.
"""

from __future__ import annotations

import os
import resource
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgpack

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.refusals import Refusal
from designer.topology.user_code import find_nodes_with_code
from designer.values import exact_json
from runner.engine.code.user_code import trust_this_process
from runner.plan import Plan
from runner.spark.program import Program, make_program
from runner.spark.proving.limits import LimitedState, give_way
from runner.spark.proving.process import (
    MAX_STATE,
    STATE,
    Executed,
    Last,
    SentCandidate,
    SentQuestion,
    read_batch,
    read_inputs,
    receive,
)
from runner.spark.proving.proof import Proof
from runner.spark.replay import KeptState, Replay
from runner.spark.sink.results import Results
from runner.spark.stage.seed_rows import write_row_file

MEMORY = 2 << 30
"""Bytes of memory. Files of state do not count, because they are mapped and shared."""


def main() -> None:
    """Answers until the parent is done."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)  # users' Python may print
    give_way()
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    messages = receive(os.fdopen(0, "rb", buffering=0))
    try:
        for answer in _answer(next(messages), messages):
            answers.write(exact_json.dumps(answer) + b"\n")
    except Refusal as refusal:
        answers.write(exact_json.dumps({"refusal": refusal.to_json(), "status": refusal.status}) + b"\n")
    except Exception as error:
        traceback.print_exc()
        answers.write(exact_json.dumps({"ended": traceback.format_exception_only(error)[-1].strip()}) + b"\n")


def _answer(question: SentQuestion, messages: Iterator[Any]) -> Iterator[Mapping[str, object]]:
    program = make_program(Plan.model_validate(question["plan"]))
    if find_nodes_with_code(program.plan.read_graph()):
        trust_this_process()
    folder = Path(question["folder"])
    if (rows := question.get("rows")) is not None:
        replay = Replay(program, folder)
        replay.begin(((depth, slot), of_slot) for depth, slot, of_slot in rows)
        yield from _play(replay, messages)
        return
    state = LimitedState(program, question["time"], folder)
    if (candidate := question.get("candidate")) is not None:
        yield from _prove(state, candidate, folder, messages)
        return
    replay = Replay(program, folder)
    replay.begin(state.rows())
    yield {"ready": True}
    for message in messages:
        manifest, inputs, _ = read_batch(message)
        results = replay.run(inputs)
        executed = Executed(batch=manifest.number, checksum=results.checksum(), records=count_records(program, results))
        if replay.not_recorded:
            executed["not_recorded"] = dict(replay.not_recorded)
        yield executed


def _play(replay: Replay, messages: Iterator[Any]) -> Iterator[Mapping[str, object]]:
    last: dict[str, Last] = {}
    yield {"ready": True}
    for message in messages:
        if message is None:
            yield {
                "last": {topic: [[_hex(key), _hex(value)] for key, value in of.items()] for topic, of in last.items()}
            }
            continue
        manifest, inputs, _ = read_batch(message)
        for target, records in replay.run(inputs).split_by_target():
            pairs = zip(records.column("key").to_pylist(), records.column("value").to_pylist(), strict=True)
            last.setdefault(replay.program.topic_of(target), {}).update(pairs)
        yield Executed(batch=manifest.number)


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def _prove(
    state: KeptState, candidate: SentCandidate, folder: Path, messages: Iterator[Any]
) -> Iterator[Mapping[str, object]]:
    program = make_program(Plan.model_validate(candidate["plan"]))
    if find_nodes_with_code(program.plan.read_graph()):
        trust_this_process()
    proof = Proof(state.program, program, candidate["stores"], folder)
    proof.begin(state, is_rebuilt=candidate.get("is_rebuilt", False))
    if (correct := candidate.get("correct")) is not None:
        proof.correct(**correct)
    yield {"ready": True}
    for message in messages:
        if message is None:
            yield proof.report()
        elif isinstance(message, dict):
            proof.rebuild(read_inputs(message["rebuild"]))
            yield {"rebuilt": True}
        elif isinstance(message, str):
            corrections = proof.find_corrections()
            Path(message).write_bytes(msgpack.packb(corrections))
            has_rows = write_row_file(Path(message + STATE), proof.new.rows(), MAX_STATE)
            yield {"corrections": len(corrections), "has_rows": has_rows}
        else:
            manifest, inputs, more = read_batch(message)
            proof.run(manifest, inputs, more)
            yield Executed(batch=manifest.number, equal=proof.is_equal)


def count_records(program: Program, results: Results) -> int:
    """Number of records that the sources of a batch have read, as its progress says it."""
    sources = {program.layout.node_entered(target) for each in program.inputs for target in each.targets}
    return sum(
        counts.get("in", 0) for call in results.counters for node, counts in call["nodes"].items() if node in sources
    )


if __name__ == "__main__":
    main()
