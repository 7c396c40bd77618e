"""One run: a plan as one Structured Streaming query, in its own process without Django. Begin with `run.py`.

- `start`: a child that gets ready before its plan is known.
- `session`: Spark's session, its JVM and its Python workers.
- `source`: reads Kafka's records into the query: offsets, reading, the first stage.
- `stage`: runs the engine's tasks inside `transformWithState`, and packs the rows that travel between stages.
- `state`: the state of tasks: a changelog in Spark's state store and a working copy on disk.
- `sink`: writes a batch to Kafka, as one transaction with its marker.
- `checkpoint`: a run's files on disk, with `repair` for damaged ones.
- `executors`: the parts of one executor, and those that watch it.
- `probe`: a test of a Spark cluster before a job depends on it.

`private.py` wraps the private APIs of Spark. The room uses `engine` and `kafka`, and knows no jobs.
"""
