"""Runs a topology record by record, as a Kafka Streams task does. It imports no Kafka, Spark or Django.

Begin with `driver.py`: it runs a whole topology on single records, as TopologyTestDriver does.

- `planning`: cuts a topology into sub-topologies and names their stores and shuffles.
- `tasks`: runs one slice of keys of one sub-topology: its processors, stream times and punctuators.
- `operators`: processes records, one file for each operator.
- `stores`: the data of operators, as bytes in order of their keys.
- `formats`: converts bytes to values and back, one file each.
- `records`: the shapes that cross the border of the engine.
- `counts`: the outcome of each record.
- `code`: Python that users wrote, for `process` and `process_values`.
- `queryable`: reads stores from outside a task.
- `following`: the path of one record through a trial.
- `trial.py`: runs a topology on a few records, for the page.
"""
