"""Topologies as programs that users take away, and the descriptions that Kafka Streams prints.

It may import `engine` and `designer`. It names no operator: each one defines its own text. Begin with `builder.py`.

- `builder`, `writing`: Python, with a builder like that of Kafka Streams.
- `java`: a Maven project for Kafka Streams.
- `descriptions`: reads what `Topology#describe` prints.
"""
