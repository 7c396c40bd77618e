"""Runs topologies.

- `engine`: records through processors, as a Kafka Streams task does it. No Kafka, Spark or Django.
- `spark`: one run as one Structured Streaming query around the engine. No Django.
- `kafka`: all requests to a Kafka cluster. No Django.
- `control`: jobs, clusters and hosts: what should run, where, and what a deploy does.
- `watch`: live numbers, logs, topics, tables and trials: all that a user sees of a run or a graph.
- `export`: topologies as Python, as Java, and from the text of Kafka Streams' `describe()`.
- `demo`: the sample topology, its feed, and the gallery.
- `management`: the commands of `manage.py`, one file each. `apps.py` names the Django apps.

`plan.py` is what `control` hands to `spark`. Begin with `engine/__init__.py`.
"""
