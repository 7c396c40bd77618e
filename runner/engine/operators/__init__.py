"""Every operator, one file each. Importing this package fills the catalogue, and checks that each has a processor."""

from importlib import import_module
from pkgutil import iter_modules

from designer.topology.catalogue import get_catalogue
from runner.engine.tasks.place import require_processors

for module in sorted(each.name for each in iter_modules(__path__)):
    import_module(f"{__name__}.{module}")
require_processors(get_catalogue().values())
