"""Wanted jobs and their places: jobs and their runs, Kafka clusters, and the hosts that execute runs.

It reads and repairs the data of a run (checkpoint, marker, failure), and does not know how the run works. Begin with
`jobs/services.py`: every write of a user is there.

- `jobs`: jobs and runs, and what a deploy does.
- `clusters`: Kafka and Spark clusters that jobs may use.
- `hosts`: the agent of a machine, and the supervisors that it starts.
- `processes`, `environment`: processes of this machine, and the environment that they inherit.
"""
