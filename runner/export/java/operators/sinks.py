"""to in Java: code that produces to a topic."""

from __future__ import annotations

from designer.expressions.java import find_java_type, quote_text
from runner.engine.operators.to import To
from runner.export.java.registry import writes
from runner.export.java.serdes import write_key_serde, write_serde
from runner.export.java.writer import PLAIN, JavaWriter


@writes(To)
def write_to(operator: To, writer: JavaWriter) -> None:
    arriving, source = writer.arriving.schema, writer.source("stream")
    schema = operator.find_schema_written(arriving)
    value = writer.value_serde(schema)
    if arriving.window is None or schema.key.format == "none":
        key = write_serde(schema.key)
    elif operator.windowed_key == "json":
        key = f"Json.<{find_java_type(arriving.key.type)}>windowed({writer.window_end(arriving.window)})"
    elif operator.windowed_key == "kafka":
        key = write_key_serde(schema.key, arriving.window)
    else:
        key = write_serde(schema.key)
        source = f"{source}.selectKey((key, value) -> key.key(), Named.as({quote_text(f'{writer.node}-key')}))"
    options = f"Produced.with({key}, {value}).withName({quote_text(writer.node)})"
    for name in operator.topic_names():
        writer.topic("output", name, schema if schema.window is None else arriving)
    topic = quote_text(operator.topic or "")
    if operator.topic_expression is not None:
        writer.use("Records")
        roles = {**PLAIN, "timestamp": "context.timestamp()", "headers": "Records.headers(context.headers())"}
        topics = ", ".join(map(quote_text, operator.topics))
        chosen_topic = writer.expression("topic_expression").write_call(roles)
        topic = f"(key, value, context) -> Records.among({chosen_topic}, {topics})"
    writer.do(f"{source}.to({topic}, {options})")
