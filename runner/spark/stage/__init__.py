"""Stateful stages, and the rows and packs that travel between them. Begin with `stage.py`."""
