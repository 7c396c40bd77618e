"""A run over cases: what is asked of each, and what is said of those that fail."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from designer.checks import check
from designer.refusals import Refusal
from designer.topology.graph import Graph
from runner.engine.driver import Driver
from tests.conformance.product import on_driver, on_spark
from tests.conformance.product.cases import Case
from tests.conformance.product.compare import Answer, Level, difference
from tests.conformance.product.functions import NotYet
from tests.conformance.product.translation import translated

Ask = Callable[[Case, Graph], Answer]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one case; without a failure it passed."""

    case: Case
    failure: str | None = None


def verdicts(cases: Iterable[Case], ask: Ask, level: Level) -> Iterator[Verdict]:
    """A verdict for each case. Whatever goes wrong in one is its failure."""
    for case in cases:
        yield Verdict(case, failure(case, ask, level))


def failure(case: Case, ask: Ask, level: Level) -> str | None:
    """Why a case fails, or None."""
    try:
        graph = translated(case)
        if refused := refusal(graph):
            return refused
        found = difference(case, ask(case, graph), level)
    except NotYet as error:
        return f"  refused: {error}"
    except Refusal as error:
        return f"  refused: {error.message} {error.hint}"
    except Exception as error:  # the others are to be asked all the same
        return f"  failed: {type(error).__name__}: {error}"
    return None if found is None else str(found)


def refusal(graph: Graph) -> str | None:
    """What the checks have against a graph, which may end anywhere: a case may look at what is dropped alone."""
    found = check(graph, is_part=True)
    issues = [f"  refused: {issue.node or 'topology'}: {issue.message} {issue.hint}" for issue in found]
    return "\n".join(issues) or None


def in_driver(
    level: Level, batches: on_driver.Batches | None = None, seed: str = "1", kind: type[Driver] = Driver
) -> Ask:
    """Asks the driver: record by record if nothing else is said; with caches, where only the end counts."""
    cache = level == "final"
    how: on_driver.Batches = batches or ("one" if cache else "each")
    one_life = batches != "random"

    def ask(case: Case, graph: Graph) -> Answer:
        return on_driver.answer(case, graph, batches=how, cache=cache, is_one_life=one_life, seed=seed, kind=kind)

    return ask


def in_spark(
    cases: Sequence[Case], level: Level, servers: str, batches: on_spark.Batches, seed: str
) -> Iterator[Verdict]:
    """A verdict for each case, answered on Spark by few queries over many cases."""
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder, on_spark.session(Path(folder)) as spark:
        world = on_spark.World(spark, servers, Path(folder))
        found = on_spark.answers(world, cases, cache=level == "final", batches=batches, seed=seed)
    for case, each in zip(cases, found, strict=True):
        yield Verdict(case, failure(case, lambda *_, each=each: _given(each), level))


def _given(found: Answer | Exception) -> Answer:
    if isinstance(found, Exception):
        raise found
    return found
