"""What flows through a graph, from its topics to each port: formats, types and schemas, times, and shuffles.

It imports `topology`, `expressions`, `avro` and `values`, and no Django. Begin with `flows.py`: it goes from the
sources down.

- `topics`, `formats`: the operators at a topic, and the formats that they read and write.
- `event_time`, `starting`: which time a record has, and where reading starts.
- `inference`: the schema of a topic, as far as its records show it.
- `shuffles`: where records go to the task of a new key.
- `budget`: the limit on the cost of checking one graph.
"""
