from __future__ import annotations

from designer.catalogue import register
from runner.engine.operators.joins.joining import Joining


@register
class Join(Joining):
    """Join the records of two streams, a stream with the rows of a table, or the rows of two tables.

    A KStream with a KTable: each record with the row its key has when the record is processed, or had at the
    record's time where the table has a history; the stream is sent to the tasks of the table's keys where its key was
    changed. With a GlobalKTable any expression can be the key looked up. The result has the time of the stream's
    record. Reference data belongs into a topic that is read as a table: a database that is asked for each record would
    be slow, and could answer a repeated batch otherwise.
    Two KStreams: records of the same key meet where their times lie `before_ms` and `after_ms` apart or less; one
    result for each pair, with the later time.
    Two KTables: the rows of equal keys, or with `foreign_key` each left row with the right row that it names; every
    update of either side updates the result, which has the later time.
    Without a row or a partner there is no result. A record with a null value or a null key is dropped.

    In Kafka Streams: KStreamKTableJoin, KStreamKStreamJoin, KTableKTableInnerJoin; with `foreign_key` KIP-213, with a
    history KIP-914.
    """

    icon = "merge"
    kafka_names = ("JoinWindows", "inner join")
    kind = "inner"
