"""`/metrics`: the numbers of jobs and hosts as Prometheus reads them. Begin with `families.py`."""
