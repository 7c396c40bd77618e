"""Trials: what a graph makes of real records, before anything is deployed. They write nothing.

Begin with `services.py`. The engine runs in a forked process (`forks.py`), and `turns.py` shares the places.

- `lines`, `windows`, `differences`: what a trial reads and shows.
- `cases`: test cases of a topology.
- `in_job`: a record of a running job, processed again over the state of its batch.
"""
