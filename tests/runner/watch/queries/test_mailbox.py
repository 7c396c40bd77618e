"""Questions to a mailbox and their answers, through a real Redis."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any
from uuid import uuid4

import orjson

from runner.watch.queries.mailbox import Mailbox, ask
from runner.watch.redis_client import get_redis


def send(mailbox: str, question: Mapping[str, str]) -> None:
    """Send a question without waiting for its answer."""
    get_redis(5.0).rpush(f"streamwright:questions:{mailbox}", orjson.dumps(question))


def test_a_question_that_ends_in_an_error_does_not_keep_others_from_an_answer(redis_url: str) -> None:
    name = f"test:{uuid4()}"
    asked = list[str]()

    def answer(question: Mapping[str, Any]) -> None:
        asked.append(question["store"])
        if question["store"] == "broken":
            raise PermissionError("the log may not be read")
        mailbox.post({"id": question["id"], "rows": 3})

    with closing(Mailbox(name, answer)) as mailbox:
        send(name, {"id": "1", "store": "broken"})
        reply = ask(name, {"store": "counts"})

    assert asked == ["broken", "counts"]
    assert reply["rows"] == 3
