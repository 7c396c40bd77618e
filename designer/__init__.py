"""Topologies as data: their values, their checks, and the services that store and change them.

It knows no Spark, Kafka, Celery or Channels. Begin with `topology/graph.py`: the value that everything else is about.

- `values`: values and types of records.
- `topology`: a graph as a plain value, and the operators that it may name.
- `expressions`: what users write in a form, parsed, typed and compiled.
- `avro`: schemas of Avro as types.
- `streams`: what flows through a graph: topics, formats, and the schema at each port.
- `checks`: what is wrong with a graph.
- `rights`: who may do what, as a table.

None of these but `rights` uses Django. Files beside them use it: `models.py` declares the tables, `services.py` holds
the writes of topologies, versions and drafts, and `permissions.py` refuses a request without its permission.
`api.py` and `schemas.py` are the contract over HTTP.
`messages.py`, `issues.py` and `refusals.py` serve all rooms: problems in words and with codes.
"""
