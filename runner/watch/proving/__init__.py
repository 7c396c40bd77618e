"""Proves a change before it ships: a candidate version beside the running one, over the same batches.

Begin with `services.py`. `runner.spark.proving` executes and compares.
"""
