"""Reads records from Kafka into the query. Begin with `source.py`. `intake.py` is the first stage."""
