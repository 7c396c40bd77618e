"""What a job's numbers were over days, in steps of a minute and of ten. Begin with `rows.py`."""
