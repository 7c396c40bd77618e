"""The common parts of all websockets. Begin with `viewer.py`: it checks who may look, and for how long.

- `tailing`, `shared_reads`: follow a growing source, read once for all viewers.
- `messages`: messages of every tail beside its lines.
"""
