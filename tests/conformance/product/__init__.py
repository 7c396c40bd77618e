"""Cases that Kafka Streams answered, asked of our engine: in the driver and on Spark.

A case is plain JSON: a topology in steps, input records, and what Kafka Streams emits for each. `translation` makes
a graph of it, one operator for each step; `compare` says where our answer differs.
"""
