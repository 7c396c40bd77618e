"""Shared by formats of one number: a fixed number of bytes, the most significant first, as Kafka writes them."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct, error
from typing import Any

from designer.values.schemas import Type
from runner.engine.formats import Decoder, Encoder
from runner.engine.formats.errors import DecodeError, EncodeError

MAX_SHOWN_INTEGER = 1 << 128
"""Larger integers are not printed: Python refuses those of some thousand digits."""


def make_fixed_width(
    name: str, layout: str, takes: str, *types: type, larger: str = ""
) -> tuple[Callable[[Type], Decoder], Callable[[Type], Encoder]]:
    """The `make_decoder` and `make_encoder` of a format that writes values of `types` as a `struct` layout.

    `takes` is the word for them, `larger` the message for a value that does not fit.
    """
    struct = Struct(layout)
    size, pack, unpack = struct.size, struct.pack, struct.unpack

    def decode(data: bytes) -> Any:
        if len(data) != size:
            raise DecodeError(f"It is {len(data)} bytes long; the format {name} has {size}.")
        return unpack(data)[0]

    def encode(value: Any) -> bytes:
        if type(value) not in types:
            raise EncodeError(f"The format {name} takes {takes}, not {type(value).__name__}.")
        try:
            return pack(value)
        except (error, OverflowError) as too_wide:
            subject = value if abs(value) < MAX_SHOWN_INTEGER else "The integer"
            raise EncodeError(f"{subject} does not fit into {size * 8} bits{larger}.") from too_wide

    return lambda type_: decode, lambda type_: encode
