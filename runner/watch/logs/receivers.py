"""The mailbox of an agent for viewers of a log on its host."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from runner.control.jobs.lifecycle import at_work
from runner.watch.logs.log_tail import answer
from runner.watch.queries.mailbox import Mailbox, of_host


@receiver(at_work)
def agent_is_at_work(host: str, **_: Any) -> Mailbox:
    """Answers until the mailbox is closed, or the agent's process ends."""
    mailbox = Mailbox(of_host(host), lambda question: mailbox.post(answer(question)))
    return mailbox
