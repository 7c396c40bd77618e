"""Fresh cases: random candidates that Kafka Streams has answered."""

from __future__ import annotations

from collections.abc import Sequence

from tests.conformance.oracle.candidates import FAMILIES, candidate
from tests.conformance.oracle.kafka_streams import answered
from tests.conformance.product.cases import Case

MAX_RESULTS = 300


def random_cases(seed: str, count: int, families: Sequence[str] = FAMILIES) -> list[Case]:
    """About so many, of the families by turns; without those that Kafka refuses or that say too much or nothing."""
    asked = [candidate(seed, families[number % len(families)], number // len(families)) for number in range(count)]
    return [case for case in answered(asked) if "error" not in case and 0 < len(case["expected"]) <= MAX_RESULTS]
