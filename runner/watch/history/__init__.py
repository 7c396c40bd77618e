"""The history of a job's numbers over days, in steps of one and of ten minutes. Begin with `rows.py`."""
