"""Demonstrations of the product. It may use every other room of the runner, and no room uses it.

- `samples`: the topology "Flight delays" and the feed that it reads. Begin with `samples/services.py`.
- `gallery`: topologies that users begin with. `gallery/api.py` shows every exported topology in its folder.
"""
