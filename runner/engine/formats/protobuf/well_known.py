"""Google's own message types, of which some have their own values."""

from __future__ import annotations

from designer.protobuf.types import WELL_KNOWN

MICRO, NANO = 1_000_000, 1_000
JSON_VALUES = ("google.protobuf.Value", "google.protobuf.ListValue")
WRAPPERS = frozenset(name for name in WELL_KNOWN if name.endswith("Value") and name not in JSON_VALUES)
