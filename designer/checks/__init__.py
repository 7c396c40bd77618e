"""Finds what is wrong with a topology. Each check is one claim: a small function that yields the issues against it.

It uses the other rooms of the designer, and no Django. Begin with `check` below; `CHECKS` lists all claims.

- `configs`, `edges`, `names`, `types`: the claims, by what they look at.
- `graph_view`: the graph with what the checks compute once.
- `hints`: what is allowed but seldom meant.
- `text`: common phrases of messages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from designer.checks.configs import (
    bypasses_possible,
    configs_valid,
    expressions_right,
    operators_content,
    operators_known,
)
from designer.checks.edges import (
    chains_bounded,
    edges_fit,
    inputs_agree,
    inputs_connected,
    no_cycles,
    ports_exist,
    results_used,
    sink_present,
)
from designer.checks.graph_view import GraphView
from designer.checks.names import stores_named_once, topics_do_not_collide, topics_read_once
from designer.checks.types import types_bounded
from designer.issues import Issue
from designer.topology.graph import Graph
from designer.values.schemas import Schema

CHECKS: tuple[Callable[[GraphView], Iterator[Issue]], ...] = (
    operators_known,
    configs_valid,
    bypasses_possible,
    ports_exist,
    edges_fit,
    inputs_agree,
    inputs_connected,
    no_cycles,
    chains_bounded,
    sink_present,
    results_used,
    topics_read_once,
    topics_do_not_collide,
    stores_named_once,
    expressions_right,
    operators_content,
    types_bounded,
)

OF_ENDS = frozenset({sink_present, results_used})
"""Claims about the ends of a topology. A part of a topology need not fulfil them."""


MAX_ISSUES = 500
"""Enough issues to act on. A hostile graph could have one for each of its 30,000 expressions."""


def check(graph: Graph, sources: Mapping[str, Schema] | None = None, *, is_part: bool = False) -> list[Issue]:
    """Every issue of a topology. Without issues it can be deployed. A graph that `is_part` of a topology may end
    anywhere.

    `sources` holds, by node id, the inferred schemas of topics whose types the config does not declare. Raises
    TooCostly.
    """
    return find_issues(GraphView(graph, sources or {}), is_part=is_part)


def find_issues(view: GraphView, *, is_part: bool = False) -> list[Issue]:
    """The issues of a graph, MAX_ISSUES at most. Raises TooCostly."""
    claims = (claim for claim in CHECKS if not (is_part and claim in OF_ENDS))
    return list(islice((issue for claim in claims for issue in claim(view)), MAX_ISSUES))
