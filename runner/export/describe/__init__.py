"""Reads the output of Kafka Streams' `Topology.describe()`, and draws a skeleton: operators, edges, topics, stores."""
