"""to in Java: code that produces to a topic."""

from __future__ import annotations

from designer.expressions.java import find_java_type, quote_text
from designer.streams.registering import KINDS, SubjectNames, list_uses
from designer.values.schemas import Side, SideName
from runner.engine.operators.to import To
from runner.export.java.registry import writes
from runner.export.java.serdes import FORM, Ids, write_key_serde
from runner.export.java.writer import PLAIN, JavaWriter


@writes(To)
def write_to(operator: To, writer: JavaWriter) -> None:
    arriving, source = writer.arriving.schema, writer.source("stream")
    schema = operator.find_schema_written(arriving)
    _note_registry(operator, writer, (schema.key, schema.value))
    key_ids, value_ids = _find_ids(operator, "key", schema.key), _find_ids(operator, "value", schema.value)
    key = writer.topic_serde(schema.key, "key", "keys", key_ids)
    value = writer.topic_serde(schema.value, "value", "values", value_ids)
    if arriving.window is None or schema.key.format == "none":
        pass
    elif operator.windowed_key == "json":
        key = f"Json.<{find_java_type(arriving.key.type)}>windowed({writer.window_end(arriving.window)})"
    elif operator.windowed_key == "kafka":
        key = write_key_serde(schema.key, arriving.window, key)
    else:
        source = f"{source}.selectKey((key, value) -> key.key(), Named.as({quote_text(f'{writer.node}-key')}))"
    options = f"Produced.with({key}, {value}).withName({quote_text(writer.node)})"
    for name in operator.topic_names():
        writer.topic("output", name, schema if schema.window is None else arriving, key_ids, value_ids)
    topic = quote_text(operator.topic or "")
    if operator.topic_expression is not None:
        writer.use("Records")
        roles = {**PLAIN, "timestamp": "context.timestamp()", "headers": "Records.headers(context.headers())"}
        topics = ", ".join(map(quote_text, operator.topics))
        chosen_topic = writer.expression("topic_expression").write_call(roles)
        topic = f"(key, value, context) -> Records.among({chosen_topic}, {topics})"
    writer.do(f"{source}.to({topic}, {options})")


def _find_ids(operator: To, name: SideName, side: Side) -> Ids:
    """Where the ids of keys or values come from."""
    kind, header = KINDS.get(side.format), operator.avro_header
    schema = None if kind is None else kind.get_schema(side)
    if kind is None or schema is None or operator.schema_registry in ("none", "id"):
        return FORM._replace(header=header)
    names = SubjectNames(operator.subject_strategy, operator.key_subject, operator.value_subject)
    uses = list_uses("", name, side, operator.schema_registry, names, None)
    subjects = {use.record: use.subject for use in uses}
    by_type = {record: subject for record, subject in subjects.items() if record}
    return Ids(next(iter(subjects.values())), operator.schema_registry == "register", header, by_type)


def _note_registry(operator: To, writer: JavaWriter, sides: tuple[Side, ...]) -> None:
    """Names what the registry does here only."""
    if all(side.schema is None for side in sides):
        return
    if operator.schema_registry == "latest":
        writer.note("`schema_registry` latest writes the schema of the form: the subject must have it")
    if operator.subject_strategy == "associated":
        writer.note("`subject_strategy` associated uses the subjects of the strategy topic")
