from __future__ import annotations

from designer.topology.catalogue import register
from runner.engine.operators.joins.joining import Joining


@register
class OuterJoin(Joining):
    """Outer join: keeps the records of both sides; the side without a match is null.

    Two KStreams: records of the same key join if their times are within `before_ms` and `after_ms`. Each pair gives one
    result with the later time. A record without a match gives a result with null and its own time. The result appears
    when stream time passes the end of the window and the grace period; only a further record moves stream time. It
    appears at once if the record arrives after that, or if it has no key. Records with a null value are dropped.

    Two KTables: each row of either table is in the result.

    In Kafka Streams: KStreamKStreamJoin, KTableKTableOuterJoin; for null keys KIP-962.
    """

    icon = "merge"
    step_prefixes = ("KSTREAM-OUTERTHIS",)
    kind = "outer"
    keeps_null_keys = True
