"""The range of a long: 64 bits with a sign, as Java's and Kafka's."""

from typing import Final

MIN_LONG: Final = -(2**63)
MAX_LONG: Final = 2**63 - 1
