"""One run: a plan as one Structured Streaming query, in a process of its own without Django. Begin with `run.py`.

- `start`: a child that gets ready before its plan is known.
- `session`: Spark's session, its JVM and its Python workers.
- `source`: Kafka's records into the query: offsets, reading, the first stage.
- `stage`: the engine's tasks inside `transformWithState`, and the rows that travel between stages.
- `state`: what tasks keep: a changelog in Spark's state store and a working copy on disk.
- `sink`: a batch into Kafka, as one transaction with its marker.
- `checkpoint`: what Spark keeps of a run, and its files; `repair` makes a damaged one whole.
- `executors`: what belongs to one executor, or looks after it.
- `probe`: a test of a Spark cluster before a job depends on it.

`private.py` holds what is not public API of Spark. The room uses `engine` and `kafka`; it knows no jobs.
"""
