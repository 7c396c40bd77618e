"""Limits on the cost of checking one graph, so that it does not block a web process."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from math import inf
from operator import itemgetter
from time import thread_time
from typing import TypeVar

from designer.refusal_codes import DesignerCode
from designer.refusals import Refusal
from designer.values.schemas import Schema

# Steps are counted, not seconds, so that the answer is the same on every machine. 26 nodes that each double their
# value make a tree of 2^26 types, which held a web process for minutes.
MAX_STEPS = 150_000
"""About 2 µs each. The number is the same on every machine."""
STEPS_PER_WORD = 12
"""Reading and typing a word or sign of an expression takes 10 to 20 µs. A graph may have 12,500 of them."""
STEPS_PER_MATCH = 3
"""Comparing a topic with a pattern takes 3 to 5 µs."""
MAX_CHECK_SECONDS = 2.0
"""CPU time of one check, for costs that steps do not count. 1,000 ordinary nodes take 0.1 s."""
MAX_TYPE_SIZE = 200_000
"""Characters of a key's or value's type as JSON: some 4,000 fields."""
MAX_TYPE_DEPTH = 32
MAX_SCHEMA_SIZE = 4_000_000
"""Characters of all different schemas of a graph, which one answer contains."""

Amount = TypeVar("Amount", int, float)


class TooCostly(Refusal):
    """The check of a graph takes too long or too much memory. `details` name the most expensive node."""

    code = DesignerCode.CHECK_TOO_COSTLY
    status = 422


class Budget:
    """The remaining time and memory for one check, and the use by each node."""

    def __init__(
        self,
        steps: float = MAX_STEPS,
        seconds: float = MAX_CHECK_SECONDS,
        schema_size: float = MAX_SCHEMA_SIZE,
        type_size: float = MAX_TYPE_SIZE,
        type_depth: float = MAX_TYPE_DEPTH,
    ) -> None:
        self.steps, self.seconds, self.schema_size = steps, seconds, schema_size
        self.type_size, self.type_depth = type_size, type_depth
        self.began = self.counted_at = thread_time()
        self.step_counts: dict[str, int] = defaultdict(int)
        self.time: dict[str, float] = defaultdict(float)
        self.schema_sizes: dict[str, int] = defaultdict(int)
        self.seen_schemas: set[Schema] = set()

    def is_too_large(self, schema: Schema) -> bool:
        """Whether the type of key or value is too large or too deep to pass on."""
        types = (schema.key.type, schema.value.type)
        return any(type_.size > self.type_size or type_.depth > self.type_depth for type_ in types)

    def charge(self, node: str, steps: int = 0) -> None:
        """Charges steps, and the CPU time since the last charge, to a node. Raises TooCostly."""
        self.step_counts[node] += steps
        if sum(self.step_counts.values()) > self.steps:
            most, count = _find_largest(self.step_counts)
            raise TooCostly(
                f"Checking the topology takes more than {self.steps:,} steps, {count:,} of them for node `{most}`.",
                "Use fewer or shorter expressions and topics, or split the topology in two.",
                node=most,
            )
        now = thread_time()
        self.time[node] += now - self.counted_at
        self.counted_at = now
        if now - self.began > self.seconds:
            most, time = _find_largest(self.time)
            raise TooCostly(
                f"Checking the topology takes more than {self.seconds:g} s, node `{most}` alone {time:.1f} s.",
                f"Give `{most}` fewer or shorter expressions and schemas, or split the topology in two.",
                node=most,
            )

    def hold(self, node: str, schema: Schema) -> None:
        """Charges a schema of a node, unless an earlier node made the same. Raises TooCostly."""
        if schema in self.seen_schemas or self.is_too_large(schema):
            return
        self.seen_schemas.add(schema)
        self.schema_sizes[node] += measure_schema(schema)
        if sum(self.schema_sizes.values()) > self.schema_size:
            most, size = _find_largest(self.schema_sizes)
            raise TooCostly(
                f"The schemas of the topology have more than {self.schema_size:,} characters, {size:,} of "
                f"them at node `{most}`.",
                "Drop unused fields early, or split the topology in two.",
                node=most,
            )


def measure_schema(schema: Schema) -> int:
    """Approximate number of characters of a schema as JSON."""
    sides = (schema.key, schema.value)
    return sum(100 + side.type.size + len(side.schema.text if side.schema else "") for side in sides)


def make_unlimited_budget() -> Budget:
    """For a graph that was checked at its deploy."""
    return Budget(inf, inf, inf, inf, inf)


def _find_largest(amounts: Mapping[str, Amount]) -> tuple[str, Amount]:
    return max(amounts.items(), key=itemgetter(1))
