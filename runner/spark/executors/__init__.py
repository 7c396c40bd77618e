"""What belongs to one executor, or looks after it. Begin with `executor.py`.

`reader.py` is a process beside each executor; `executors.py` asks it for memory and logs. `losses.py` counts what a
lost executor cost, and `left_open.py` closes what Spark leaves open in one.
"""
