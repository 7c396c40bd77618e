"""Topologies as data: their values, their checks, and the services that store and change them.

It knows no Spark, Kafka, Celery or Channels. Begin with `topology/graph.py`: the value that everything else is about.

- `values`: values and types of records.
- `topology`: a graph as a plain value, and the operators that it may name.
- `expressions`: what users write in a form, parsed, typed and compiled.
- `avro`, `protobuf`, `json_schema`: their schemas as types.
- `streams`: what flows through a graph: topics, formats, and the schema at each port.
- `checks`: what is wrong with a graph.
- `projects`: what is stored of users' topologies, and who may do what with them. Only this package uses Django.

The files beside these packages serve all of them: issues and refusals with their codes, limits and names.
"""
