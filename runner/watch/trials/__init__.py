"""Trials: a graph on real records, before anything is deployed. They write nothing.

Begin with `services.py`. The engine runs in a forked process (`forks.py`). `fair_queue.py` decides whose trial runs
next.

- `lines`, `windows`, `differences`: the input and output of a trial.
- `cases`: test cases of a topology.
- `in_job`: a record of a running job, processed again over the state of its batch.
"""
