"""What should run and where: jobs and their runs, Kafka clusters, and the hosts that carry runs.

It may import `spark` only for plain facts of a run. Begin with `jobs/services.py`: every write of a user is there.
"""
