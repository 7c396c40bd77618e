"""Writes results, dead letters, marker and offsets in one Kafka transaction. Begin with `writer.py`."""
