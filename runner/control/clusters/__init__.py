"""Kafka clusters: registering them, their sealed secrets, and their topics over HTTP."""
