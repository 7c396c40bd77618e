"""The log of a run, line by line, on a websocket. It reads files and changes nothing.

Begin with `log_tail.py`: it follows the file. `log_consumer.py` is the websocket, and `receivers.py` answers for a log
on another host.
"""
