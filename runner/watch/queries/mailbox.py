"""Questions to runs and agents and their answers, through Redis: the caller may be on another host."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import orjson
import redis

from designer.refusals import Refusal
from designer.values import exact_json
from runner.watch.codes import WatchCode
from runner.watch.redis_client import get_redis

SECONDS = 12
"""Time to wait for an answer: somewhat longer than a run looks for rows."""
LOOK_SECONDS = 1.0
SOCKET_SECONDS = SECONDS + 3.0
log = logging.getLogger(__name__)


class NoAnswer(Refusal):
    """The run is silent, or Redis on the way to it."""

    code = WatchCode.QUERY_NO_ANSWER
    status = 503


def ask(mailbox: str, question: Mapping[str, object]) -> Any:
    """Return the answer of the owner of that mailbox, as JSON. The question gets an `id`. Raises NoAnswer."""
    number = uuid4().hex
    questions = _name_questions(mailbox)
    try:
        with get_redis(SOCKET_SECONDS).pipeline() as pipeline:
            pipeline.rpush(questions, orjson.dumps({"id": number, **question}))
            pipeline.expire(questions, SECONDS)
            pipeline.execute()
        entry = get_redis(SOCKET_SECONDS).blpop([_answer(number)], timeout=SECONDS)
    except redis.RedisError as error:
        raise NoAnswer("Redis does not answer, so the run cannot be queried.", "Try again in a moment.") from error
    if entry is None:
        raise NoAnswer(
            f"The run gave no answer for {SECONDS} seconds.", "Try again. The log of the run may have details."
        )
    return exact_json.loads(entry[1])


class Mailbox:
    """The other side: passes questions to `ask`, and sends posted answers back. Without Redis both are lost."""

    def __init__(self, name: str, ask: Callable[[Any], None]) -> None:
        self.questions = _name_questions(name)
        self.ask = ask
        self.stopping = threading.Event()
        self.answers = ThreadPoolExecutor(1, thread_name_prefix="answers")
        threading.Thread(target=self._listen, daemon=True, name="questions").start()

    def post(self, answer: Mapping[str, Any]) -> None:
        """Send an answer soon to the waiting caller."""
        self.answers.submit(self._send, answer)

    def close(self) -> None:
        self.stopping.set()
        self.answers.shutdown(wait=False, cancel_futures=True)

    def _listen(self) -> None:
        while not self.stopping.is_set():
            try:
                entry = get_redis(SOCKET_SECONDS).blpop([self.questions], timeout=LOOK_SECONDS)
            except redis.RedisError as error:
                log.warning("Redis does not answer (%s); the run cannot be queried until it does", error)
                self.stopping.wait(LOOK_SECONDS)
            else:
                if entry is not None:
                    self._pass_on(entry[1])

    def _pass_on(self, question: bytes | str) -> None:
        try:
            self.ask(orjson.loads(question))
        except Exception:  # this question is lost, but not those that follow
            log.exception("A question to the mailbox %s got no answer", self.questions)

    def _send(self, answer: Mapping[str, Any]) -> None:
        key = _answer(answer["id"])
        try:
            with get_redis(SOCKET_SECONDS).pipeline() as pipeline:
                pipeline.rpush(key, exact_json.dumps(answer))
                pipeline.expire(key, SECONDS)
                pipeline.execute()
        except redis.RedisError as error:
            log.warning("An answer is lost, because Redis does not answer (%s)", error)


def of_run(run_id: int) -> str:
    """The mailbox of a run."""
    return f"run:{run_id}"


def of_host(name: str) -> str:
    """The mailbox of the agent of a host."""
    return f"host:{name}"


def _name_questions(mailbox: str) -> str:
    return f"streamwright:questions:{mailbox}"


def _answer(number: str) -> str:
    return f"streamwright:answer:{number}"
