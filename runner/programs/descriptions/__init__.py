"""What Kafka Streams' `Topology.describe()` prints, read and drawn as a skeleton: operators, edges, topics, stores."""
