"""Reads what `Topology.describe()` of Kafka Streams prints, and draws a skeleton: operators, edges, topics, stores."""
