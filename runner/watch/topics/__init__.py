"""Topics of a cluster: their records and settings, and the changes that users make.

Begin with `topics.py`, the websocket of a topic's newest records.

- `facts`, `uses`, `meanings`: settings of a topic, what they mean, and who uses the topic.
- `searching`, `tail`, `decoding`, `texts`: records of a topic, found and decoded.
- `producing`, `changing`: records and settings that users write.
- `letters`: the newest dead letters, live.
"""
