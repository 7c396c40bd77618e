"""A small child that speaks the protocol of `python -m runner.spark`, for tests of what owns it.

The file `behaviour-<application id>` in the installation's folder says what it does: `run` (batches of ten records,
ten a second), `poison N` (fails at batch N for ever), `crash` (dies at once), `deaf` (goes on when asked to stop),
`lose` (loses an executor in its first batch), `heavy` (its executors hold 1 TiB), `silent`, `stuck N` (the first run
stays in batch N). It records what it was given and each batch it ran, so that tests can see it. Started ahead of a
plan, it leaves its pid in its folder and waits.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

FIRST = json.loads(sys.stdin.readline())
if IS_AHEAD := FIRST.get("type") == "ahead":
    (Path(FIRST["folder"]) / "pid").write_text(str(os.getpid()))
PLAN = json.loads(sys.stdin.readline() or sys.exit(9)) if IS_AHEAD else FIRST
FOLDER = Path(PLAN["checkpoint"]).parents[2]
BEHAVIOUR = (FOLDER / f"behaviour-{PLAN['application_id']}").read_text().split()
NOTES = FOLDER / f"child-{PLAN['application_id']}.jsonl"
stopping = threading.Event()
lease_until = 0.0


def note(**said: object) -> None:
    with NOTES.open("a") as file:
        file.write(json.dumps({"generation": PLAN["generation"], "pid": os.getpid(), **said}) + "\n")


def tell(**event: object) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def step(name: str) -> None:
    tell(type="step", step=name, at=int(time.time() * 1_000))


def listen() -> None:
    global lease_until
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "lease":
            lease_until = time.monotonic() + message["seconds"]
        elif message["type"] == "stop" and BEHAVIOUR[0] != "deaf":
            stopping.set()
    os._exit(9)  # the parent is gone


def progress(batch: int) -> dict[str, object]:
    now = int(time.time() * 1_000)
    counts = {"in": 10, "out": 9, "dropped": 1, "errors": 0}
    return {
        "type": "progress",
        "batch": batch,
        "started_at": now - 20,
        "committed_at": now,
        "duration_ms": 20,
        "phases": {"engine": 12},
        "latency_ms": 45,
        "records_in": 10,
        "nodes": {node["id"]: counts for node in PLAN["graph"]["nodes"]},
        "sources": {topic: [10 * (batch + 1)] * facts["partitions"] for topic, facts in PLAN["topics"].items()},
        "state": {"rows": batch, "bytes": 100 * batch},
        "dead_letters": 0,
    }


def failed(batch: int) -> None:
    cause = {
        "code": "record.failed",
        "message": "The record cannot be processed.",
        "hint": "Fix the expression of node `late`.",
        "node": "late",
        "batch": batch,
        "offsets": {"flights": [batch]},
        "traceback": "",
        "retriable": True,
    }
    tell(type="failed", cause=cause)
    sys.exit(1)


def lose(took_ms: int | None) -> None:
    lost = {"executor": "10.0.0.7:4100", "host": "10.0.0.7", "at": 1_000, "reason": "worker lost", "hint": ""}
    tell(type="executor_lost", **lost, batch=0, again=True, took_ms=took_ms, cost_ms=took_ms)


def main() -> None:
    note(said="started", kafka=PLAN["kafka"], environment=sorted(os.environ))
    if BEHAVIOUR[0] == "crash":
        sys.exit(7)
    threading.Thread(target=listen, daemon=True).start()
    tell(type="status", status="starting")
    tell(type="status", status="restoring")
    step("restoring")
    tell(type="status", status="running")
    step("first_batch")
    batch = 0
    while not stopping.is_set():
        if BEHAVIOUR[0] == "poison" and batch == int(BEHAVIOUR[1]):
            failed(batch)
        is_stuck = BEHAVIOUR[0] == "stuck" and PLAN["generation"] == 1 and batch == int(BEHAVIOUR[1])
        if BEHAVIOUR[0] != "silent" and not is_stuck and time.monotonic() < lease_until:
            note(said="batch", batch=batch)
            tell(**progress(batch))
            if batch == 0:
                step("running")
                if BEHAVIOUR[0] == "lose":
                    lose(took_ms=None)
                    lose(took_ms=9_000)
                if BEHAVIOUR[0] == "heavy":
                    tell(type="executors", memory={"10.0.0.7": 1 << 39, "10.0.0.8": 1 << 39})
            batch += 1
        tell(type="beat", batch=batch, in_batch_ms=300_001 if is_stuck else 0)
        time.sleep(0.1)
    note(said="stopped")
    tell(type="status", status="stopped")


main()
