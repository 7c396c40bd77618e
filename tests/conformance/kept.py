"""The kept cases: what Kafka Streams answered, one case a line, one file per family in `cases/`.

Some families need more than the DSL: `in_memory` has window stores in memory, which answer otherwise than persistent
ones; `suppress_bytes` has Kafka's own serdes, because bytes are counted; `windowed_calendar` has a Windows class of
days, weeks, months and years in time zones; `written` has shapes that random cases lack.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from designer.topology.graph import Graph
from tests.conformance.product.cases import Case, read_cases
from tests.conformance.product.translation import translated

FOLDER = Path(__file__).parent / "cases"
FAMILIES: dict[str, list[Case]] = {file.stem: list(read_cases(file)) for file in sorted(FOLDER.glob("*.jsonl"))}
CASES = [case for family in FAMILIES.values() for case in family]


@cache
def graphs() -> list[tuple[Case, Graph]]:
    """Each case and its graph."""
    return [(case, translated(case)) for case in CASES]


def write_family(file: Path, cases: Iterable[Case]) -> None:
    """Writes cases as they are kept: JSON lines, one case a line."""
    with file.open("w") as lines:
        lines.writelines(json.dumps(case, ensure_ascii=False) + "\n" for case in cases)
