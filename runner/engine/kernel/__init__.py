"""Runs sub-topologies in the kernel (`runner/kernel`) if it knows all their nodes, formats and functions.

- `planning`: writes the plan of a sub-topology, or says why it stays in Python.
- `expressions`: writes checked expressions for it.
- `running`: runs batches, and gives single records that the kernel is not sure of to the Python engine.
"""
