"""The parts of one executor, and those that watch it. Begin with `executor.py`.

`reader.py` is a process beside each executor. `executors.py` asks it for memory and logs. `losses.py` measures the
cost of a lost executor, and `left_open.py` closes connections that Spark leaves open.
"""
