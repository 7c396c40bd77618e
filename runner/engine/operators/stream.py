from __future__ import annotations

from pydantic import Field, field_validator, model_validator

from designer.expressions.functions.patterns import Pattern, compile_pattern
from designer.issues import Issue
from designer.messages import IssueCode
from designer.streams.event_time import ReadsTimes
from designer.streams.starting import Start
from designer.streams.topics import READ
from designer.topology.catalogue import register
from designer.topology.forms import Topic, make_error
from designer.topology.ports import KStream, Output
from runner.engine.issue_codes import OperatorIssueCode


@register
class Stream(ReadsTimes):
    """Read a topic as a KStream: each record is a separate event.

    Records with a null key or a null value pass. Several topics form one stream, without an order across them. Topics
    that match `pattern` are looked up when the job is deployed. As in `StreamsBuilder.stream`, a topology reads a topic
    only once; draw as many edges from this node as you need.
    """

    icon = "arrow-right"
    summary = ("topic", "pattern", "topics")
    step_prefixes = ("source",)
    first_step = "read"
    kafka_names = ("KStream", "StreamsBuilder")
    is_usual = True
    passes_unchanged = True
    more = ("topics", "pattern", "start", "max_ahead_ms", "key_type", "value_type", "on_error")

    result = Output(KStream)

    topic: Topic | None = Field(None, description=READ)  # type: ignore[assignment]
    topics: tuple[Topic, ...] = Field((), max_length=100, description="More topics to read as the same stream.")
    pattern: str | None = Field(
        None,
        min_length=1,
        max_length=249,
        description="Regular expression (RE2) that must match the whole topic name. Use it instead of Topic.",
    )
    start: Start | None = Field(
        None,
        description="Where the first run starts reading: earliest, latest, or a time (ISO 8601 or ms).",
        json_schema_extra={"empty_means": "the job's setting"},
    )

    @field_validator("pattern")
    @classmethod
    def _pattern_compiles(cls, pattern: str | None) -> str | None:
        if pattern is not None:
            try:
                _compile_whole(pattern)
            except ValueError as error:
                raise make_error(
                    Issue(OperatorIssueCode.PATTERN_WRONG, {"pattern": pattern, "why": str(error)})
                ) from error
        return pattern

    @model_validator(mode="after")
    def _something_to_read(self) -> Stream:
        has_names = self.topic is not None or self.topics
        if not has_names and self.pattern is None:
            ways = "the topic to read. Or give `topics` or `pattern`."
            raise make_error(
                Issue(IssueCode.FIELD_MISSING, {"field": "topic", "needed_by": None, "help": ways}), "topic"
            )
        if has_names and self.pattern is not None:
            raise make_error(Issue(OperatorIssueCode.PATTERN_AND_NAMES), "pattern")
        return self

    def topic_names(self) -> tuple[str, ...]:
        one = () if self.topic is None else (self.topic,)
        return tuple(dict.fromkeys((*one, *self.topics)))

    def choose_first_start(self, default: str) -> str:
        return self.start or default

    def reads(self, topic: str) -> bool:
        if self.pattern is None:
            return topic in self.topic_names()
        return not topic.startswith("__") and _compile_whole(self.pattern).is_found_in(topic)


def _compile_whole(pattern: str) -> Pattern:
    return compile_pattern(f"^(?:{pattern})$")
