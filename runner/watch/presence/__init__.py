"""Who else has a topology open. Begin with `consumers.py`."""
