"""Every operator, one file each. Importing this package fills the catalogue, and checks that each has a processor.

An operator may use the rest of the engine, but other rooms name no operator. Begin with `filter.py`, the simplest.
docs/how-to/operator.md adds one.

- `aggregations`: ways to keep aggregates, for `aggregate`, `count` and `reduce`.
- `joins`: the kinds of join.
- `shared`: parts of operators of several families.
"""

from importlib import import_module
from pkgutil import iter_modules

from designer.topology.catalogue import get_catalogue
from runner.engine.tasks.processor_context import check_processors

for module in sorted(each.name for each in iter_modules(__path__)):
    import_module(f"{__name__}.{module}")
check_processors(get_catalogue().values())
