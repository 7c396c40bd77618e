from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from designer.issues import Issue
from designer.messages import IssueCode
from designer.reasons import Reason
from designer.topology.catalogue import Operator, register
from designer.topology.forms import FieldName, FormPart, Predicate, make_error, refuse_repeated_names
from designer.topology.ports import Input, KStream, Output
from runner.engine.tasks.processor import Processor
from runner.engine.tasks.processor_context import ProcessorContext

DEFAULT = "default"


class Branch(FormPart):
    """One branch: the records for which its predicate is the first to be true."""

    name: FieldName = Field(description="Names the output port for matching records.")
    predicate: Predicate = Field(description="True for the records of this branch.")


def _check_no_default(branches: Sequence[Branch]) -> Sequence[Branch]:
    for index, branch in enumerate(branches):
        if branch.name == DEFAULT:
            raise make_error(Issue(IssueCode.BRANCH_DEFAULT), f"{index}.name")
    return branches


@register
class Split(Operator):
    """Send each record only to the first branch whose predicate is true.

    Records that match no branch go to `default`. Without an edge from `default` they are dropped. A predicate that
    gives null counts as false.
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

    def processor(self, context: ProcessorContext) -> FirstMatch:
        rules = [
            (context.expression(f"branches.{index}.predicate", "key", "value", "timestamp"), branch.name)
            for index, branch in enumerate(self.branches)
        ]
        leads_on = any(edge.source_port == DEFAULT for edge in context.layout.children[context.node])
        return FirstMatch(rules, keeps_others=leads_on)


class FirstMatch(Processor):
    """Forwards each record to the first output whose predicate is true, else to the default one (KStreamBranch)."""

    silence = Reason.NO_BRANCH

    def __init__(
        self, rules: Sequence[tuple[Callable[[Any, Any, int], bool | None], str]], *, keeps_others: bool
    ) -> None:
        self.rules = tuple(rules)
        self.keeps_others = keeps_others
        self.counts = dict.fromkeys((*(name for _, name in rules), DEFAULT), 0)

    def process(self, key: Any, value: Any, timestamp: int) -> None:
        for holds, name in self.rules:
            if holds(key, value, timestamp):
                self.counts[name] += 1
                self.branches[name](key, value, timestamp)
                return
        if not self.keeps_others:
            self.silent += 1
            return
        self.counts[DEFAULT] += 1
        self.branches[DEFAULT](key, value, timestamp)

    def count_forwarded_to(self, output: str, input_count: int, errors: int) -> int:
        return self.counts[output]
