"""Records over HTTP say which of their texts stand for bytes."""

from designer.streams.inference import infer_with_doubts
from runner.control.clusters.schemas import DoubtOut, MessageOut
from runner.kafka import Message


def test_bytes_that_are_no_text_are_marked_also_in_headers():
    message = Message(0, 0, 0, b"\xff", b"text", (("id", b"\x00\x01"), ("trace", b"Blue"), ("none", None)))

    shown = MessageOut.of(message).model_dump()

    assert (shown["key"], shown["is_key_base64"]) == ("/w==", True)
    assert (shown["value"], shown["is_value_base64"]) == ("text", False)
    assert [{name: header[name] for name in ("key", "value", "is_value_base64")} for header in shown["headers"]] == [
        {"key": "id", "value": "AAE=", "is_value_base64": True},
        {"key": "trace", "value": "Blue", "is_value_base64": False},
        {"key": "none", "value": None, "is_value_base64": False},
    ]


def test_a_number_that_does_not_fit_is_shown_with_all_its_digits():
    for odd in ('{"price":1.10}', '{"price":1180591620717411303424}'):
        (doubt,) = infer_with_doubts((None, text.encode()) for text in [*['{"price":"free"}'] * 20, odd]).doubts

        assert DoubtOut.of(doubt).odd == odd.removeprefix('{"price":').removesuffix("}")
