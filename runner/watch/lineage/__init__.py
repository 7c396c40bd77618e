"""Lineage for other tools: OpenLineage events for each run, with its topics and where each of their columns comes from.

They are off unless the environment names a collector. Begin with `events.py`.
"""
