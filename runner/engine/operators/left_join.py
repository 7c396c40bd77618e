from __future__ import annotations

from designer.topology.catalogue import register
from runner.engine.operators.joins.joining import Joining


@register
class LeftJoin(Joining):
    """Left join: keeps the records on the left that have no match, with null for `right`.

    A KStream with a table: the result has the key and the time of the stream's record. Later updates of the table do
    not correct it. Records with a null value are dropped. A record with a null key finds no row.

    Two KTables: each left row is in the result, even if its `foreign_key` names no right row.

    Two KStreams: a left record without a match gives a result with null and its own time. The result appears when
    stream time passes the end of the window and the grace period; only a further record moves stream time. It appears
    at once if the record arrives after that, or if it has no key.

    In Kafka Streams: KStreamKTableJoin, KTableKTableLeftJoin, KStreamKStreamJoin; for null keys KIP-962.
    """

    icon = "merge"
    follows = 2
    step_prefixes = ("KSTREAM-LEFTJOIN", "KSTREAM-OUTEROTHER")
    first_step = "look_up"
    kind = "left"
    keeps_null_keys = True
