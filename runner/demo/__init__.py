"""What the product shows itself with. It may use every other room of the runner, and none uses it.

- `samples`: the topology "Flight delays" and the feed that it reads. Begin with `samples/services.py`.
- `gallery`: topologies that users begin with. An exported topology in its folder is on show: `gallery/api.py`.
"""
