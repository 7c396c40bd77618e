"""What users see: live numbers, logs, topics, tables, and trials of graphs. It changes nothing of a run.

- `live`: the numbers of a run on the canvas. Begin with `live/numbers.py`.
- `logs`, `topics`: lines of a log, records of a topic and dead letters, live.
- `queries`: what is asked of the tables of a run.
- `alerts`: which figures mean trouble, and who gets a message. Begin with `alerts/kinds.py`.
- `history`: numbers of jobs over days. Begin with `history/rows.py`.
- `letters`: dead letters together, and their way back. Begin with `letters/services.py`.
- `prometheus`: the numbers of jobs and hosts as Prometheus reads them. Begin with `prometheus/families.py`.
- `trials`: what a graph makes of real records, and its test cases.
- `why`: why nothing comes out of a node. Begin with `why/answering.py`.
- `sockets`: what all websockets share. `routing.py` has their addresses, `messages.py` the schemas of their messages.
- `blackboard`: the connections to Redis.
"""
