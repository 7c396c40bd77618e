"""A damaged checkpoint: `damage.py` finds what is damaged, and `repair.py` repairs it from what is left.

Control asks both before it starts a run again. The room reads plans and the marker in Kafka, without Spark.
"""
