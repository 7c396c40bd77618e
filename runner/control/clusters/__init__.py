"""Kafka and Spark clusters: registers them, seals their secrets, and checks what jobs need of them.

It imports neither `jobs` nor `hosts`. Begin with `services.py`: the writes of clusters.

- `connection`, `sealing`, `certificates`: a cluster's connection, its sealed secrets, and the expiry of certificates.
- `spark`, `cores`, `checkpoints`: Spark clusters, their free cores, and where checkpoints may be.
- `topic_checks`, `loading`: topics of a graph on a cluster, and rows of a file as records.
"""
