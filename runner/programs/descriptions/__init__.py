"""What Kafka Streams' `Topology.describe()` prints, read and drawn as a skeleton: operators, wires, topics, stores."""
