"""One machine: its agent, the supervisors that the agent starts, and their children. Begin with `agent.py`.

- `agent`: takes runs that fit this host, and follows lost hosts.
- `run_supervisor`, `child`: one run: its lease, its process and its events.
- `standby`, `warm_supervisor`: a supervisor whose Spark session is ready before a run needs it.
- `services`: actions of administrators on hosts, such as draining one.
- `memory`, `priority`: the memory and the niceness of a run's processes.
- `database`, `archives`: Postgres for these processes, and our archives for Spark's executors.
"""
