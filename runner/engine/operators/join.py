from __future__ import annotations

from designer.topology.catalogue import register
from runner.engine.operators.joins.joining import Joining


@register
class Join(Joining):
    """Join the records of two streams, a stream with the rows of a table, or the rows of two tables.

    A KStream with a KTable: each record joins the current row of its key. If the table has a history, the record joins
    the row at the record's time. If the stream's key was changed, a shuffle sends its records to the tasks of the
    table's keys. With a GlobalKTable, any expression can be the key to look up. The result has the time of the stream's
    record. Put reference data into a topic and read it as a table. A database lookup for each record would be slow, and
    a repeated batch could get a different answer.

    Two KStreams: records of the same key join if their times are within `before_ms` and `after_ms`. Each pair gives one
    result with the later time.

    Two KTables: rows with equal keys join. With `foreign_key`, each left row joins the right row that it names. An
    update of either side updates the result, which has the later time.

    Without a match there is no result. Records with a null value or a null key are dropped.

    In Kafka Streams: KStreamKTableJoin, KStreamKStreamJoin, KTableKTableInnerJoin; with `foreign_key` KIP-213, with a
    history KIP-914.
    """

    icon = "merge"
    follows = 3
    step_prefixes = ("KSTREAM-JOIN", "KTABLE-MERGE", "KTABLE-FK-JOIN-OUTPUT")
    kafka_names = ("JoinWindows", "inner join")
    kind = "inner"
