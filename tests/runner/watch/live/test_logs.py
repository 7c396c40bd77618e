"""Lines of a run's log, and following it as a file and over a websocket."""

import logging
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client

from runner.control.jobs.models import Job, Run
from runner.watch.logs import log_consumer, log_tail
from runner.watch.logs.log_tail import Lines, Log, LogTail
from runner.watch.logs.logs import MAX_LENGTH, Line, parse
from runner.watch.logs.receivers import agent_is_at_work
from runner.watch.queries import mailbox
from runner.watch.sockets.messages import TailMessage
from tests.runner.watch.described import assert_described
from tests.runner.watch.live.page import page

AT = int(datetime(2026, 11, 21, 16, 31, 47, 508_000, tzinfo=UTC).timestamp() * 1_000)


@pytest.fixture
def log(tmp_path: Path, settings: Any) -> Log:
    settings.HOME = tmp_path
    (tmp_path / "logs").mkdir()
    return Log(run=41, number=7)


def write(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def info(first: int, last: int) -> str:
    return "".join(f"2026-11-21 16:31:47,508 INFO runner: line {number}\n" for number in range(first, last + 1))


def numbers(message: TailMessage) -> tuple[int, int]:
    return message["lines"][0]["number"], message["lines"][-1]["number"]


def path_of(run: Run) -> Path:
    path: Path = settings.HOME / "logs" / f"run-{run.id}.log"
    path.parent.mkdir(exist_ok=True)
    return path


def test_lines_of_python_and_of_spark_are_taken_apart() -> None:
    lines = [
        "2026-11-21 16:31:47,508 INFO runner.spark.run: batch 3: 12 records",
        "2026-11-21 16:31:47.508 WARN MicroBatchExecution: Disabling AQE",
        "java.lang.IllegalStateException: none",
        "2026-11-21 16:31:47,508 FATAL runner: ",
        "Traceback (most recent call last):",
        "Starting Streaming TransformWithStateInPandas Python worker.",
        "2026-11-21 16:31:47,508 ERROR py4j.clientserver: There was an exception",
    ]

    found = list(parse(lines, first=41))

    assert found == [
        Line(41, AT, "INFO", "runner.spark.run", "batch 3: 12 records"),
        Line(42, AT, "SPARK", "MicroBatchExecution", "Disabling AQE"),
        Line(43, None, "SPARK", "", lines[2]),
        Line(44, AT, "ERROR", "runner", ""),
        Line(45, None, "ERROR", "", lines[4]),
        Line(46, None, "SPARK", "", lines[5]),
        Line(47, AT, "SPARK", "py4j.clientserver", "There was an exception"),
    ]


def test_the_products_own_format_is_understood() -> None:
    record = logging.makeLogRecord(
        {"name": "runner.control.hosts.run_supervisor", "levelname": "ERROR", "msg": "no lease: gone"}
    )
    formatters: Any = settings.LOGGING["formatters"]
    text = logging.Formatter(formatters["line"]["format"]).format(record)

    (line,) = parse([text])

    assert (line.level, line.logger, line.text) == ("ERROR", "runner.control.hosts.run_supervisor", "no lease: gone")


def test_a_traceback_has_the_level_of_the_line_it_belongs_to() -> None:
    lines = ["before all", "2026-11-21 16:31:47,508 ERROR runner: failed", "Traceback", '  File "x.py"', "ValueError"]

    found = [(line.level, line.at, line.logger, line.text) for line in parse(lines)]

    assert found[0] == (None, None, "", "before all")
    assert found[2:] == [("ERROR", None, "", text) for text in ("Traceback", '  File "x.py"', "ValueError")]


def test_what_only_looks_like_a_logged_line_is_a_raw_one() -> None:
    lines = ["2026-13-41 16:31:47,508 INFO runner: x", "2026-11-21 16:31:47,508 NEWS runner: x", "WARNING: incubator"]

    assert [asdict(line) for line in parse(lines)] == [
        {"number": number, "at": None, "level": None, "logger": "", "text": text}
        for number, text in enumerate(lines, 1)
    ]


def test_a_very_long_line_is_cut() -> None:
    (line,) = parse(["x" * 100_000])

    assert line.text == "x" * MAX_LENGTH + " …"


def test_the_last_lines_come_first_then_new_ones(log: Log) -> None:
    tail = LogTail(log)
    write(log.path, info(1, 1_200))

    (first,) = tail.read_next()
    nothing = tail.read_next()
    write(log.path, info(1_201, 1_203))
    (then,) = tail.read_next()

    assert (first["type"], first["run"], numbers(first), first["skipped"]) == ("lines", 7, (701, 1_200), 0)
    assert nothing == []
    assert_described(first, by=Lines)
    assert (numbers(then), then["lines"][0]["text"]) == ((1_201, 1_203), "line 1201")


def test_of_many_new_lines_the_last_are_shown_and_the_others_counted(log: Log) -> None:
    tail = LogTail(log)
    write(log.path, info(1, 10))
    tail.read_next()

    write(log.path, info(11, 2_010))
    (then,) = tail.read_next()

    assert (numbers(then), then["skipped"]) == ((1_511, 2_010), 1_500)


def test_a_log_larger_than_the_window_is_counted_but_not_parsed(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_tail, "WINDOW", 10_000)
    tail = LogTail(log)
    write(log.path, info(1, 5_000))
    (first,) = tail.read_next()
    write(log.path, info(5_001, 9_000))
    (then,) = tail.read_next()

    for message, last in ((first, 5_000), (then, 9_000)):
        assert all(line["text"] == f"line {line['number']}" for line in message["lines"])
        assert message["lines"][-1]["number"] == last
    assert len(then["lines"]) + then["skipped"] == 4_000


def test_a_line_is_shown_once_it_is_whole(log: Log) -> None:
    tail = LogTail(log)
    write(log.path, "2026-11-21 16:31:47,508 INFO runner: ha")
    (first,) = tail.read_next()
    write(log.path, "lf\n  and more\n")
    (then,) = tail.read_next()

    assert first["lines"] == []
    assert [(line["level"], line["text"]) for line in then["lines"]] == [("INFO", "half"), ("INFO", "  and more")]


def test_a_log_that_is_not_here_is_waited_for(log: Log) -> None:
    tail = LogTail(log)

    said, again = tail.read_next(), tail.read_next()
    write(log.path, info(1, 1))
    (found,) = tail.read_next()

    assert said == [{"type": "waiting", "message": "Run 7 has no log. It has not started, or its log was deleted."}]
    assert again == []
    assert numbers(found) == (1, 1)


def test_the_agent_of_another_host_reads_its_logs(log: Log, redis_url: str) -> None:
    tail = LogTail(log._replace(elsewhere="worker-2"))
    box = agent_is_at_work(host="worker-2")
    try:
        (missing,) = tail.read_next()
        write(log.path, info(1, 700))
        (first,) = tail.read_next()
        nothing = tail.read_next()
        write(log.path, info(701, 702))
        (then,) = tail.read_next()
    finally:
        box.close()

    assert missing["message"].startswith("Run 7 has no log")
    assert (first["run"], numbers(first), nothing, numbers(then)) == (7, (201, 700), [], (701, 702))
    assert_described(first, by=Lines)


def test_a_host_that_does_not_answer_is_named(log: Log, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "SECONDS", 1)
    (said,) = LogTail(log._replace(elsewhere="worker-3")).read_next()

    assert said["message"] == "Host `worker-3` does not answer. The log of run 7 is there."


async def test_the_log_of_the_newest_run_is_followed_and_then_that_of_the_next(
    job: Job, run_of: Callable[..., Run], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_consumer, "LOOK_SECONDS", 0.2)

    async with page(f"/ws/jobs/{job.id}/log/", client) as watcher:
        waiting = await watcher.hear()
        run = await sync_to_async(run_of)()
        write(path_of(run), info(1, 2))
        first = await watcher.hear()
        write(path_of(run), info(3, 3))
        then = await watcher.hear()
        again = await sync_to_async(run_of)()
        missing = await watcher.hear()
        write(path_of(again), info(1, 1))
        other = await watcher.hear()

    assert waiting == {"type": "waiting", "message": "The job has no run yet. Its log is shown as soon as it starts."}
    assert (first["run"], numbers(first), numbers(then)) == (run.generation, (1, 2), (3, 3))
    assert missing["message"].startswith(f"Run {again.generation} has no log")
    assert (other["run"], numbers(other)) == (again.generation, (1, 1))


async def test_the_log_of_an_older_run_can_be_asked_for(job: Job, run_of: Callable[..., Run], client: Client) -> None:
    old, _ = await sync_to_async(run_of)(), await sync_to_async(run_of)()
    write(path_of(old), info(1, 4))

    async with page(f"/ws/jobs/{job.id}/log/?run={old.generation}", client) as watcher:
        found = await watcher.hear()

    assert (found["run"], numbers(found)) == (old.generation, (1, 4))


async def test_a_paused_viewer_of_a_log_hears_the_rest_later(
    job: Job, run_of: Callable[..., Run], client: Client
) -> None:
    run = await sync_to_async(run_of)()
    write(path_of(run), info(1, 1))

    async with page(f"/ws/jobs/{job.id}/log/", client) as watcher:
        await watcher.hear()
        await watcher.say("pause")
        write(path_of(run), info(2, 901))
        paused = await watcher.hear_all(1.2)
        await watcher.say("resume")
        resumed = await watcher.hear()

    assert paused == []
    assert (numbers(resumed), resumed["skipped"]) == ((402, 901), 400)


@pytest.mark.parametrize("run", ["999999", "../../etc/passwd", "99999999999999999999999", "²"])
async def test_what_is_no_run_of_the_job_closes_the_socket(run: str, job: Job, client: Client) -> None:
    async with page(f"/ws/jobs/{job.id}/log/?run={run}", client) as watcher:
        assert await watcher.closed_with() == 4404


async def test_without_a_login_no_log_is_shown(job: Job, run_of: Callable[..., Run]) -> None:
    await sync_to_async(run_of)()

    async with page(f"/ws/jobs/{job.id}/log/", None) as watcher:
        assert await watcher.closed_with() == 4401
