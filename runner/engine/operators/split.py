from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from designer.issues import Issue
from designer.reasons import Reason
from designer.streams.registering import choose_option
from designer.topology.catalogue import Flows, Operator, register
from designer.topology.forms import FieldName, FormPart, Predicate, make_error, refuse_repeated_names
from designer.topology.ports import Input, KStream, Output
from designer.values.schemas import Kind, Schema
from designer.values.tuples import UnionValue
from runner.engine.issue_codes import OperatorIssueCode
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

DEFAULT = "default"
MAX_TYPE_NAME = 512


class Branch(FormPart):
    """One branch: the records for which its predicate is the first to be true, or whose value has its type."""

    name: FieldName = Field(description="Names the output port for matching records.")
    predicate: Predicate | None = Field(None, description="True for the records of this branch.")
    type: str | None = Field(
        None,
        max_length=MAX_TYPE_NAME,
        description="Instead of a predicate: one of the types of a value that is a union, such as shop.Order. The "
        "values of this branch then have that type.",
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> Branch:
        if (self.predicate is None) == (self.type is None):
            empty = Issue(OperatorIssueCode.BRANCH_EMPTY, {"branch": self.name})
            both = Issue(OperatorIssueCode.BRANCH_BOTH, {"branch": self.name})
            raise make_error(empty if self.predicate is None else both, "predicate")
        return self


def _check_no_default(branches: Sequence[Branch]) -> Sequence[Branch]:
    for index, branch in enumerate(branches):
        if branch.name == DEFAULT:
            raise make_error(Issue(OperatorIssueCode.BRANCH_DEFAULT), f"{index}.name")
    return branches


@register
class Split(Operator):
    """Send each record only to the first branch whose predicate is true.

    Records that match no branch go to `default`. Without an edge from `default` they are dropped. A predicate that
    gives null counts as false. If a topic has records of several types, a branch can take those of one type, and its
    values have the fields of that type: `instanceof` and a cast in Kafka Streams.
    """

    icon = "git-branch"
    step_prefixes = ("KSTREAM-BRANCH",)
    kafka_names = ("branch", "Branched", "BranchedKStream")
    family = "stateless"
    summary = ("branches",)
    stream = Input(KStream)
    branch = Output(KStream, each="branches")
    default = Output(KStream)

    branches: Annotated[
        tuple[Branch, ...], AfterValidator(refuse_repeated_names), AfterValidator(_check_no_default)
    ] = Field(min_length=1, max_length=100, description="The branches, in the order in which they are tried.")

    def output_schema_at(self, port: str, inputs: Flows) -> Schema:
        """The arriving schema. The values of a branch by type have that type, with its own schema if they have one."""
        schema = inputs.only.schema
        wanted = next((branch.type for branch in self.branches if branch.name == port), None)
        return schema if wanted is None else replace(schema, value=choose_option(schema.value, wanted))

    def issues(self, inputs: Flows) -> Iterator[Issue]:
        type_ = inputs.only.schema.value.type
        types = [field.name for field in type_.fields] if type_.kind is Kind.UNION else []
        for index, branch in enumerate(self.branches):
            if branch.type is not None and branch.type not in types:
                known = ", ".join(types) or None
                yield Issue(
                    OperatorIssueCode.BRANCH_TYPE, {"type": branch.type, "known": known}, field=f"branches.{index}.type"
                )

    def processor(self, context: ProcessorContext) -> FirstMatch:
        rules = [
            (
                has_type(branch.type)
                if branch.type is not None
                else context.expression(f"branches.{index}.predicate", "key", "value", "timestamp"),
                branch.name,
            )
            for index, branch in enumerate(self.branches)
        ]
        leads_on = any(edge.source_port == DEFAULT for edge in context.layout.children[context.node])
        typed = frozenset(branch.name for branch in self.branches if branch.type is not None)
        return FirstMatch(rules, typed, keeps_others=leads_on)


def has_type(name: str) -> Callable[[Any, Any, int], bool]:
    """The predicate of the values that have this type of their union."""
    return lambda key, value, timestamp: type(value) is UnionValue and value.tag == name


class FirstMatch(Processor):
    """Forwards each record to the first output whose predicate is true, else to the default one (KStreamBranch).

    Values of the outputs in `typed` leave their union.
    """

    silence = Reason.NO_BRANCH

    def __init__(
        self,
        rules: Sequence[tuple[Callable[[Any, Any, int], bool | None], str]],
        typed: frozenset[str] = frozenset(),
        *,
        keeps_others: bool,
    ) -> None:
        self.rules = tuple(rules)
        self.typed = typed
        self.keeps_others = keeps_others
        self.counts = dict.fromkeys((*(name for _, name in rules), DEFAULT), 0)

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        for holds, name in self.rules:
            if holds(key, value, timestamp):
                self.counts[name] += 1
                self.branches[name](key, value.value if name in self.typed else value, timestamp)
                return
        if not self.keeps_others:
            self.silent += 1
            return
        self.counts[DEFAULT] += 1
        self.branches[DEFAULT](key, value, timestamp)

    def count_forwarded_to(self, output: str, input_count: int, errors: int) -> int:
        return self.counts[output]
