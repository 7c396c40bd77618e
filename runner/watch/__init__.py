"""Everything that users see: live numbers, logs, topics, tables, and trials of graphs. It changes no run.

- `live`: the numbers of a run on the canvas. Begin with `live/numbers.py`.
- `logs`, `topics`: lines of a log, records of a topic and dead letters, live.
- `queries`: queries of a run's tables.
- `alerts`: the figures that mean trouble, and the messages about them. Begin with `alerts/kinds.py`.
- `history`: numbers of jobs over days. Begin with `history/rows.py`.
- `lineage`: runs as OpenLineage events. Begin with `lineage/events.py`.
- `dead_letters`: dead letters in groups, and the redrive. Begin with `dead_letters/services.py`.
- `prometheus`: the numbers of jobs and hosts as Prometheus reads them. Begin with `prometheus/families.py`.
- `trials`: a graph on real records, and its test cases.
- `why`: why nothing comes out of a node. Begin with `why/answering.py`.
- `sockets`: the common parts of all websockets. `routing.py` has their addresses, `messages.py` the schemas of their
  messages.
- `redis_client`: the connections to Redis.
"""
