"""A task and what its processors share: wiring, stream times, errors, punctuators. Begin with `task.py`."""
