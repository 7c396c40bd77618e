from __future__ import annotations

from designer.catalogue import register
from runner.engine.operators.joins.joining import Joining


@register
class OuterJoin(Joining):
    """Join the records of two streams, or the rows of two tables; where one side has none its value is null.

    Two KStreams meet where the times of two records of the same key lie `before_ms` and `after_ms` apart or less: one
    result for each pair, with the later time. A record without a partner goes out alone, with its own time, when
    its time and the grace are over and a further record moves the time on; at once where its time was over when it
    came, or where it has no key. A record with a null value is dropped.
    Two KTables: each row of either table is in the result.

    In Kafka Streams: KStreamKStreamJoin, KTableKTableOuterJoin; for null keys KIP-962.
    """

    icon = "merge"
    kind = "outer"
    keeps_null_keys = True
