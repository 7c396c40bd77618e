"""Kafka and Spark clusters: registers them, seals their secrets, and checks what jobs need of them.

It imports nothing of `jobs` or `hosts`. Begin with `services.py`: the writes of clusters.

- `connection`, `sealing`, `certificates`: how a cluster is reached, its sealed secrets, and when certificates end.
- `spark`, `cores`, `checkpoints`: Spark clusters, their free cores, and where checkpoints may be.
- `topic_checks`, `loading`: topics of a graph on a cluster, and rows of a file as records.
"""
