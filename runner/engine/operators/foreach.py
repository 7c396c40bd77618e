from __future__ import annotations

from designer.topology.catalogue import register
from designer.topology.ports import Input, KStream
from runner.engine.java.place import JavaPlace
from runner.engine.operators.shared.telling import Tell, TellsMessage, make_record_log
from runner.engine.tasks.place import Place


@register
class Foreach(TellsMessage):
    """Write a line for a record into the run's log; the stream ends here (KStreamForeach).

    Each task logs at most 5 lines a second.
    """

    icon = "message-square"
    step_prefixes = ("KSTREAM-FOREACH",)
    family = "sinks"
    summary = ("message",)
    stream = Input(KStream)

    def java(self, place: JavaPlace) -> None:
        place.do(f"{place.source('stream')}.foreach((key, value) -> {self.java_line(place)}, {place.name_argument})")

    def processor(self, place: Place) -> Tell:
        return Tell(make_record_log(place), self.line(place))
