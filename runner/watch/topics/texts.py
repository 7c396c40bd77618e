"""Keys and values as users type them: text, or `base64:` with the base64 of bytes that are not text."""

from __future__ import annotations

from designer.refusals import Refusal
from runner.engine.formats.display import MARK, mark, to_bytes
from runner.watch.codes import WatchCode


class NotBase64(Refusal):
    code = WatchCode.RECORD_NOT_BASE64
    status = 422


def decode_text(content: bytes | None) -> str | None:
    """The whole text. None for Kafka's null."""
    if content is None:
        return None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return mark(content)
    return mark(content) if "\x00" in text else text


def encode_text(text: str | None, what: str) -> bytes | None:
    """The bytes of a typed text. Raises NotBase64, which names `what` it is."""
    if text is None or not text.startswith(MARK):
        return None if text is None else text.encode()
    try:
        return to_bytes(text)
    except ValueError as error:
        raise NotBase64(f"The {what} begins with `{MARK}` but is not base64: {error}.", "Correct it.") from error
