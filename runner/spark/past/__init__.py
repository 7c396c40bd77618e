"""Kept batches as they were: counts and records of nodes, rows of tables, and the way of a record.

All of it reads the state of a run beside it, as of a batch, and writes nothing.
"""
