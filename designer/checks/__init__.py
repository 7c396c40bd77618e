"""What is wrong with a topology. Each check is one claim, a small function that yields the issues against it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from designer.checks.configs import configs_valid, expressions_right, operators_content, operators_known
from designer.checks.drawing import Drawing
from designer.checks.names import stores_named_once, topics_do_not_collide, topics_read_once
from designer.checks.wires import (
    edges_fit,
    inputs_agree,
    inputs_connected,
    no_cycles,
    ports_exist,
    results_used,
    sink_present,
)
from designer.graph import Graph
from designer.issues import Issue
from designer.schemas import Schema

CHECKS: tuple[Callable[[Drawing], Iterator[Issue]], ...] = (
    operators_known,
    configs_valid,
    ports_exist,
    edges_fit,
    inputs_agree,
    inputs_connected,
    no_cycles,
    sink_present,
    results_used,
    topics_read_once,
    topics_do_not_collide,
    stores_named_once,
    expressions_right,
    operators_content,
)

OF_ENDS = frozenset({sink_present, results_used})
"""What is claimed of where a topology ends; a part of one need not fulfil it."""


def check(graph: Graph, sources: Mapping[str, Schema] | None = None, *, is_part: bool = False) -> list[Issue]:
    """Every issue of a topology; none means that it can be deployed. What `is_part` of one may end anywhere.

    `sources` holds by node id what was inferred of the topics whose types the config does not declare.
    """
    drawing = Drawing(graph, sources or {})
    return [issue for claim in CHECKS if not (is_part and claim in OF_ENDS) for issue in claim(drawing)]
