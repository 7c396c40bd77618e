"""One run: a plan as one Structured Streaming query, in a process of its own without Django. Begin with `run.py`.

- `session`: Spark's session, its JVM and its Python workers.
- `source`: Kafka's records into the query: offsets, reading, the first stage.
- `stage`: the engine's tasks inside `transformWithState`, and the rows that travel between stages.
- `state`: what tasks keep: a changelog in Spark's state store and a working copy on disk.
- `sink`: a batch into Kafka, as one transaction with its marker.

`private.py` holds what is not public API of Spark, and `left_open.py` closes what Spark leaves open.
"""
