from __future__ import annotations

from typing import Any

from designer.catalogue import register
from designer.ports import Input, KStream
from runner.engine.place import Place
from runner.engine.processor import Processor
from runner.engine.record_log import RecordLog
from runner.operators.shared.telling import Line, TellsMessage, record_log


@register
class Foreach(TellsMessage):
    """Write a line for a record into the run's log; the stream ends here.

    A sample: at most 5 lines a second from each task.
    """

    icon = "message-square"
    family = "sinks"
    stream = Input(KStream)

    def processor(self, place: Place) -> Tell:
        return Tell(record_log(place), self.line(place))


class Tell(Processor):
    """Writes lines and forwards nothing (KStreamForeach)."""

    def __init__(self, log: RecordLog, line: Line) -> None:
        self.log = log
        self.line = line

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        if self.log.has_room():
            self.log.write(self.line(key, value, timestamp))
