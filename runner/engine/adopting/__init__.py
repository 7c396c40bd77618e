"""State of Kafka Streams, from the records of its changelog topics to the rows of our stores.

- `serialization`: how Kafka Streams writes keys and buffered updates.
- `stores`: which stores can be taken over, and their rows.

`runner/spark/adopting` reads the topics, and has the protocol of the take-over.
"""
