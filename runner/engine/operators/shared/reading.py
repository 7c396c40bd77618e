"""Shared by stream and table in Java: code that consumes a topic."""

from __future__ import annotations

from designer.expressions.java import NotInJava, quote_text
from designer.streams.event_time import ReadsTimes
from designer.values.logical import get_unit
from runner.engine.java.writer import JavaWriter


class ReadsTimesInJava(ReadsTimes):
    """A source that is read with serdes, a name, and perhaps a timestamp extractor."""

    def java_source(self, writer: JavaWriter) -> str:
        """The `Consumed` of the source."""
        if self.max_ahead_ms is not None:
            writer.note("`max_ahead_ms` has no equivalent: records far ahead move stream time")
        options = f"Consumed.with({writer.serdes(writer.schema)}).withName({quote_text(writer.node)})"
        if (start := getattr(self, "start", None)) in ("earliest", "latest"):
            options += f".withOffsetResetPolicy(AutoOffsetReset.{start}())"
        if self.timestamp_from == "wall_clock":
            options += ".withTimestampExtractor(new WallclockTimestampExtractor())"
        if self.timestamp_from == "field":
            options += f".withTimestampExtractor((record, partitionTime) -> {self._write_java_time(writer)})"
        return options

    def _write_java_time(self, writer: JavaWriter) -> str:
        """The time of a consumer's record."""
        time = writer.expression("timestamp_field")
        assert time.method is not None
        if get_unit(time.type) is not None:
            raise NotInJava("a time of an Avro type cannot be exported as Java yet")
        writer.use("Records")
        scope = self.scope("timestamp_field", writer.inputs)
        types = writer.role_types(scope)
        roles = {role: f"({types[role]}) record.{role}()" for role in ("key", "value")}
        roles |= {"timestamp": "record.timestamp()", "headers": "Records.headers(record.headers())"}
        return f"Records.time({time.write_call(roles)}, {quote_text(self.timestamp_unit)})"
