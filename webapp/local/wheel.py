"""Programs inside Python packages."""

from importlib.util import find_spec
from pathlib import Path


def find_folder(package: str) -> Path:
    """The folder of an installed package, without importing it."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"{package} is not installed: run `make install`.")
    return Path(spec.submodule_search_locations[0])
