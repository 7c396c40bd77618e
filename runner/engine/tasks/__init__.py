"""A task, and the parts that its processors share: wiring, stream times, errors, punctuators. Begin with `task.py`."""
