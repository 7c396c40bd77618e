from __future__ import annotations

from pydantic import Field

from designer.topology.catalogue import register
from designer.topology.forms import Predicate
from runner.engine.operators.filter import Filtering


@register
class FilterNot(Filtering):
    """Keep the records for which the predicate is not true (KStreamFilter, KTableFilter).

    A KStream drops all other records. A KTable deletes a row that satisfies the predicate from the result. A predicate
    that gives null counts as false, so its record stays.
    """

    icon = "funnel-x"
    is_negated = True

    predicate: Predicate = Field(description="True for the records to drop.")
