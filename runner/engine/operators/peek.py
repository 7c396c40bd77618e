from __future__ import annotations

from typing import Any

from designer.topology.catalogue import register
from designer.topology.ports import Input, KStream, Output
from runner.engine.java.place import JavaPlace
from runner.engine.operators.shared.telling import Tell, TellsMessage, make_record_log
from runner.engine.tasks.place import Place


@register
class Peek(TellsMessage):
    """Write a line for a record into the run's log; every record passes unchanged.

    Each task logs at most 5 lines a second.
    """

    icon = "eye"
    step_prefixes = ("KSTREAM-PEEK",)
    family = "stateless"
    summary = ("message",)
    stream = Input(KStream)
    result = Output(KStream)

    def java(self, place: JavaPlace) -> None:
        place.give(f"{place.source('stream')}.peek((key, value) -> {self.java_line(place)}, {place.name_argument})")

    def processor(self, place: Place) -> TellAndPass:
        return TellAndPass(make_record_log(place), self.line(place))


class TellAndPass(Tell):
    """Forwards its input (KStreamPeek)."""

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        super().process(key, value, timestamp)
        self.forward(key, value, timestamp)
