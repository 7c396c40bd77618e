"""Topologies as programs: what a user takes away, and what Kafka Streams prints of its own.

It may import `engine` and `designer`, and it names no operator: each says how it is written. Begin with `builder.py`.

- `builder`, `writing`: Python, with a builder in the manner of Kafka Streams' own.
- `java`: a Maven project for Kafka Streams.
- `descriptions`: reads what `Topology#describe` prints.
"""
