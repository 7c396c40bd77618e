"""Sends messages: as a signed webhook, in Slack's form, or as e-mail. It does not use the database."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage

from designer.names import as_one_line
from designer.refusals import Refusal
from runner.outgoing import NoAnswer, call, describe_error
from runner.watch.alerts.models import Form

SECONDS = 5.0
"""A hanging receiver must not delay others."""
SIGNATURE = "Streamwright-Signature"
"""`t=<s since 1970>,v1=<hex HMAC-SHA256 of "t.body">`. The signed time prevents anyone from sending an old message
again.
"""


@dataclass(frozen=True, slots=True)
class Message:
    """The content of one delivery. `id` is the same for every try, so that a receiver can recognise it."""

    id: str
    form: str
    address: str
    key: str
    is_internal: bool
    subject: str
    text: str
    link: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    has_arrived: bool
    answer: str


def send(message: Message) -> Outcome:
    """Send it once, and return the result. It drops the receiver's answer: no one can read a network through us."""
    try:
        if message.form == Form.EMAIL:
            _send_mail(message)
            return Outcome(True, "The mail server took it.")
        status = _send_by_http(message)
        return Outcome(200 <= status < 300, f"HTTP {status}")
    except Refusal as refusal:
        return Outcome(False, refusal.message)
    except NoAnswer as reason:
        return Outcome(False, str(reason))
    except OSError as error:
        return Outcome(False, _describe_mail_error(error))


def sign(key: str, at: int, body: bytes) -> str:
    """The signature that a receiver also computes.

    >>> sign("a key", 7, b"{}")[:12]
    't=7,v1=c2f11'
    """
    digest = hmac.new(key.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def make_body(message: Message) -> bytes:
    """The JSON of a webhook."""
    if message.form == Form.SLACK:
        link = f"\n<{message.link}|Open Streamwright>" if message.link else ""
        return json.dumps({"text": f"*{_escape(message.subject)}*\n{_escape(message.text)}{link}"}).encode()
    return json.dumps(
        {
            "id": message.id,
            "subject": message.subject,
            "text": message.text,
            **({"link": message.link} if message.link else {}),
            **message.facts,
        }
    ).encode()


def _send_by_http(message: Message) -> int:
    """The status of the answer. Follows no redirect, because it could lead elsewhere."""
    body = make_body(message)
    headers = {"Content-Type": "application/json", "User-Agent": "Streamwright"}
    if message.key:
        headers |= {SIGNATURE: sign(message.key, int(time.time()), body)}
    answer = call(
        message.address, method="POST", body=body, headers=headers, is_internal=message.is_internal, seconds=SECONDS
    )
    return answer.status


def _send_mail(message: Message) -> None:
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].strip("> ") or "streamwright"
    EmailMessage(
        subject=f"[Streamwright] {as_one_line(message.subject)}",
        body="\n\n".join(filter(None, (message.text, message.link))),
        to=[address.strip() for address in message.address.split(",")],
        headers={"Message-ID": f"<{message.id}@{domain}>"},
    ).send()


def _escape(text: str) -> str:
    """Slack gives these three a special meaning."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _describe_mail_error(error: OSError) -> str:
    """A sentence for an error of the mail server. Errors of smtplib are OSErrors."""
    match error:
        case SMTPRecipientsRefused(recipients=dict(refused)):
            return f"The mail server refuses the recipient {', '.join(refused)}."
        case SMTPResponseException(smtp_code=code, smtp_error=reason):
            text = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
            return f"The mail server refuses the message: {code} {text}"
        case SMTPException():
            return "The mail server closed the connection, or does not support what EMAIL_* asks for."
    return describe_error(error, f"The mail server {settings.EMAIL_HOST}")
