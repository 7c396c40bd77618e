"""The kept past of a job over HTTP: its batches, what nodes did in one, tables as of it, and what made a value.

`kept.py` finds the batch and reads its records from Kafka. A trial's process answers (`runner/spark/past/`).
`breakpoints.py` watches new batches for conditions, a little behind the job.
"""
