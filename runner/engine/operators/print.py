from __future__ import annotations

from designer.catalogue import Operator, register
from designer.ports import Input, KStream
from runner.engine.operators.shared.telling import Tell, key_and_value, record_log
from runner.engine.tasks.place import Place


@register
class Print(Operator):
    """Write key and value of a record into the run's log, as `Printed.toSysOut` does; the stream ends here.

    Each task logs at most 5 lines a second. A windowed key is shown as `[key@start/end]`.
    """

    icon = "printer"
    described_as = ("KSTREAM-PRINTER",)
    family = "sinks"
    stream = Input(KStream)

    def processor(self, place: Place) -> Tell:
        return Tell(record_log(place), key_and_value)
