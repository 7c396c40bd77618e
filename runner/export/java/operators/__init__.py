"""Each operator in Java. Importing this package registers all of them; `registry` finds the one of an operator.

An operator that is not here is named by the export as left out. So a new operator needs nothing here.
"""

from runner.export.java.operators import aggregations, joins, sinks, sources, stateless

__all__ = ["aggregations", "joins", "sinks", "sources", "stateless"]
