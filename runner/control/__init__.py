"""What should run and where: jobs and their runs, Kafka clusters, and the hosts that carry runs.

It reads and repairs what a run keeps (checkpoint, marker, failure), and does not know how it runs. Begin with
`jobs/services.py`: every write of a user is there.

- `jobs`: jobs and runs, and what a deploy does.
- `clusters`: Kafka and Spark clusters that jobs may use.
- `hosts`: the agent of a machine, and the drives that it starts.
- `processes`, `environment`: processes of this machine, and what they inherit.
"""
