"""A test of a Spark cluster before a job depends on it. `probe.py` has the question, `probing.py` is the process."""
