"""The facts of a job or a trial for the question why nothing comes out of a node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from typing_extensions import TypedDict

from designer.streams.flows import make_operator
from designer.streams.topics import ReadsTopic
from designer.topology.catalogue import get_catalogue
from designer.topology.graph import Graph
from runner.engine.queryable.holding import HeldByTask

Code = Literal[
    "comes_out",
    "not_deployed",
    "stopped",
    "failed",
    "starting",
    "loading_tables",
    "not_in_job",
    "bypassed",
    "numbers_old",
    "topic_gone",
    "topic_empty",
    "nothing_new",
    "open_transaction",
    "not_read_yet",
    "on_its_way",
    "filtered",
    "no_result",
    "null_key",
    "dropped",
    "late",
    "errors",
    "no_partner",
    "window_open",
    "waiting",
]


class Answer(TypedDict):
    """Why nothing comes out of a node: `node` is where the records stay, which may be one before it.

    `also` has what else becomes of records there, and other inputs without records.
    """

    code: Code
    node: str
    text: str
    hint: str
    also: list[str]


@dataclass(frozen=True)
class Facts:
    """The running graph, and by node its numbers and its held-back records.

    `nodes` have the form of the live numbers (`NodeNumbers`). `topics` too (`SourceNumbers`), or only the number of
    records `read` in a trial.
    """

    graph: Graph
    nodes: Mapping[str, Mapping[str, Any]]
    topics: Mapping[str, Mapping[str, Any]]
    holdings: Mapping[str, Sequence[HeldByTask]] = field(default_factory=dict)
    is_trial: bool = False

    @property
    def since(self) -> str:
        return "in the trial" if self.is_trial else "since the run began"

    def number(self, node: str, name: str) -> Any:
        return self.nodes.get(node, {}).get(name, 0)

    def held(self, node: str) -> int:
        """The results that a node holds back, also those of earlier runs, which `waiting` leaves out."""
        held: int | None = (self.nodes.get(node, {}).get("state") or {}).get("held")
        return int(self.number(node, "waiting")) if held is None else held

    def reasons(self, node: str, name: str) -> Mapping[str, int]:
        """Number of records by reason: those `dropped_by` a node, or those with `no_result`."""
        counts: Mapping[str, int] = self.nodes.get(node, {}).get(name) or {}
        return counts

    def examples(self, node: str, reason: str) -> Sequence[Mapping[str, Any]]:
        """Some of the newest records lost for a reason."""
        at = self.nodes.get(node, {})
        for name in ("dropped_samples", "lost_samples"):
            if records := at.get(name, {}).get(reason):
                return list(records)
        return ()

    def is_dry(self, node: str) -> bool:
        """Whether nothing comes out of a node: at all, or now if something did."""
        return not self.number(node, "out") or (not self.is_trial and not self.number(node, "out_rate"))

    def topics_of(self, node: str) -> Sequence[str]:
        """The topics that a source reads. Empty for another node."""
        operator = get_catalogue().get(self.graph.node(node).operator)
        if operator is None or not issubclass(operator, ReadsTopic):
            return ()
        source = make_operator(self.graph.node(node))
        return source.topic_names() if isinstance(source, ReadsTopic) else ()

    def find_feeding(self, node: str) -> Iterator[tuple[str, str]]:
        """Input port and the node that feeds it."""
        return ((edge.target_port, edge.source) for edge in self.graph.edges_into(node))

    def table_of(self, node: str) -> str | None:
        """The node with the rows that feed a node, or the node itself: the first upstream with a store."""
        while not any("" in each["newest"] for each in self.holdings.get(node, ())):
            before = [source for _, source in self.find_feeding(node)]
            if len(before) != 1:
                return None
            (node,) = before
        return node
