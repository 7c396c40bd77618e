"""These tests need the kernel. Without cargo there is none, and the Python engine does all the work."""

from runner import kernel
from webapp.local.crate import find_cargo

if kernel.load() is None and find_cargo() is None:
    collect_ignore_glob = ["test_*.py"]
