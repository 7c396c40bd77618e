"""The layout of a stored plan. A web server asks for it with each query of a table, so it keeps the last ones."""

from __future__ import annotations

import json
from functools import lru_cache

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.topology.graph import Graph
from designer.values.schemas import Schema
from runner.engine.planning.lay_out import lay_out
from runner.engine.planning.layout import Layout
from runner.plan import Plan


def lay_out_plan(plan: Plan) -> Layout:
    """Lay out the graph of a plan, as its run does. Plans with equal graphs and schemas share one layout."""
    return _lay_out(json.dumps(plan.graph), json.dumps(plan.schemas), plan.shared_shuffles)


@lru_cache(maxsize=16)
def _lay_out(graph: str, schemas: str, shares_shuffles: bool) -> Layout:
    sources = {node_id: Schema.from_json(schema) for node_id, schema in json.loads(schemas).items()}
    return lay_out(Graph.from_json(json.loads(graph)), sources, shares_shuffles=shares_shuffles)
