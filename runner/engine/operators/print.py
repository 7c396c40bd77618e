from __future__ import annotations

from designer.expressions.java import quote_text
from designer.topology.catalogue import Operator, register
from designer.topology.ports import Input, KStream
from runner.engine.java.place import JavaPlace
from runner.engine.operators.shared.telling import Tell, describe_key_and_value, make_record_log
from runner.engine.tasks.place import Place


@register
class Print(Operator):
    """Write key and value of a record into the run's log, as `Printed.toSysOut` does; the stream ends here.

    Each task logs at most 5 lines a second. A windowed key is shown as `[key@start/end]`.
    """

    icon = "printer"
    step_prefixes = ("KSTREAM-PRINTER",)
    family = "sinks"
    stream = Input(KStream)

    def java(self, place: JavaPlace) -> None:
        options = (
            f"Printed.<{place.types}>toSysOut().withLabel({quote_text(place.node)}).withName({quote_text(place.node)})"
        )
        place.do(f"{place.source('stream')}.print({options})")

    def processor(self, place: Place) -> Tell:
        return Tell(make_record_log(place), describe_key_and_value)
