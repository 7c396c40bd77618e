"""Everything that users see: live numbers, logs, topics, tables, trials of graphs, and proofs of changes.

- `live`: the numbers of a run on the canvas. Begin with `live/numbers.py`.
- `logs`, `topics`: lines of a log, records of a topic and dead letters, live.
- `queries`: queries of a run's tables.
- `alerts`: the figures that mean trouble, and the messages about them. Begin with `alerts/kinds.py`.
- `history`: numbers of jobs over days. Begin with `history/rows.py`.
- `lineage`: runs as OpenLineage events. Begin with `lineage/events.py`.
- `dead_letters`: dead letters in groups, and the redrive. Begin with `dead_letters/services.py`.
- `prometheus`: the numbers of jobs and hosts as Prometheus reads them. Begin with `prometheus/families.py`.
- `trials`: a graph on real records, and its test cases.
- `past`, `breakpoints`: kept batches of a job, opened and searched again. Begin with `past/kept.py`.
- `proving`: proofs of changes, corrections of results, and pinned batches. Begin with `proving/services.py`.
- `presence`: who else has a topology open, and comments. Begin with `presence/consumers.py`.
- `why`: why nothing comes out of a node. Begin with `why/answering.py`.
- `sockets`: the common parts of all websockets. `routing.py` has their addresses, `messages.py` the schemas of their
  messages.
- `redis_client`: the connections to Redis.
"""
