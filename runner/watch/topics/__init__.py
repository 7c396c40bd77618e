"""Topics of a cluster: their records and settings, and the changes that users make.

Begin with `topics.py`, the websockets of a topic's newest records and of the newest dead letters.

- `facts`, `uses`: settings of a topic, and who uses the topic.
- `searching`, `tail`, `decoding`, `texts`, `dead_letters`: records of a topic, found and decoded.
- `producing`, `changing`: records and settings that users write.
- `subjects`, `registry`: subjects of the schema registry, and the schemas of single records.
- `guard`, `noticing`: what a new schema does to drawings and jobs, and how new versions are noticed.
"""
