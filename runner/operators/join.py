from __future__ import annotations

from designer.catalogue import register
from runner.operators.joining import Joining


@register
class Join(Joining):
    """Join each record of a stream with the row of its key in a table; without such a row it gives nothing.

    With a KTable the row is the current one when the record is processed, and the stream is sent to the tasks of
    the table's keys where its key was changed. With a GlobalKTable any expression can be the key looked up.
    A record with a null value or a null key is dropped. The result has the key and the time of the stream's record.
    """

    icon = "merge"
    kind = "inner"
