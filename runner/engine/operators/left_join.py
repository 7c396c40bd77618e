from __future__ import annotations

from designer.catalogue import register
from runner.engine.operators.joins.joining import Joining


@register
class LeftJoin(Joining):
    """Join as `join` does, and keep what is on the left: without a row or a partner `right` is null.

    A KStream with a table: the result has the key and the time of the stream's record and is never corrected
    afterwards. A record with a null value is dropped; a null key finds no row.
    Two KTables: each left row is in the result, with `foreign_key` also one that names no right row.
    Two KStreams: a record on the left without a partner goes out with null, and its own time, when its time and the
    grace are over and a further record moves the time on; at once where its time was over when it came, or where it
    has no key.

    In Kafka Streams: KStreamKTableJoin, KTableKTableLeftJoin, KStreamKStreamJoin; for null keys KIP-962.
    """

    icon = "merge"
    kind = "left"
    keeps_null_keys = True
