"""The numbers of a run: from its events to Redis and the browser. Begin with `numbers.py`."""
