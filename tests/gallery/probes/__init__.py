"""What each application of the gallery must answer: input and output under Kafka Streams' semantics, uncached.

Answers marked (KS) were printed by Kafka Streams 4.3.1; the others are derived beside them, those of windows confirmed
by it.
"""

from __future__ import annotations

from tests.gallery.probe import Probe
from tests.gallery.probes import alerts, clicks, enriching, orders, tables, windows, words

PROBES: dict[str, Probe] = {
    **clicks.PROBES,
    **windows.PROBES,
    **orders.PROBES,
    **tables.PROBES,
    **enriching.PROBES,
    **alerts.PROBES,
    **words.PROBES,
}
"""By the id of the application."""
