"""Topologies as programs that users take away, and the descriptions that Kafka Streams prints.

- `python`: a builder like that of Kafka Streams, and the program that draws a topology with it.
- `java`: a Maven project for Kafka Streams. `java/operators` writes each operator.
- `describe`: reads what `Topology#describe` prints.
- `api`: all of these over HTTP.
"""
