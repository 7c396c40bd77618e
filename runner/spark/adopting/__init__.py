"""Takes over a Kafka Streams application: its committed offsets, and its state from its changelog topics.

The application is stopped, and a job goes on exactly where it stopped. In this order:

1. The group has no members. While it has some, its offsets and its state move.
2. No transaction is open in the changelog topics. An open one could still commit rows, or abort them.
3. Read how far each changelog topic goes. That is the state: Kafka Streams has sent each change of a store to its
   changelog before it committed the offsets of the records that made the change.
4. Read the committed offsets. Read before 3, they could be of an earlier commit than the state.
5. Repartition topics have no records behind their committed offsets. Such records have left one part of the topology
   and have not reached the next, so neither the offsets of the inputs nor the state have them.
6. Look at 1 and 3 again. If the application has come back meanwhile, nothing of this holds.
7. The plan of the job's first run gets the offsets as starts, and the topics with the ends of 3 (`Plan.adopted`). It
   is in Postgres before the run begins.
8. The run reads the changelog topics up to these ends, and refuses if a topic has grown. The rows are the state before
   its first batch, which begins at the offsets of 4.
9. The first batch commits, with the marker of the job. From here on, its state is in its own checkpoint.

1 to 6 change nothing. A crash before 9 leaves the plan, and the next run begins at 8 with the same topics and the same
offsets. The application's group, its offsets and its topics are never changed: it can go on where it stopped.

- `application`: 1 to 6, the facts of a running or stopped application, and what is in the way.
- `rows`: 8, the rows of our stores.
- `comparing`: results of the drawing beside those that the application wrote.

`runner/engine/adopting` knows how Kafka Streams writes. `runner/control/jobs/plans/adopting.py` makes 7.
"""
