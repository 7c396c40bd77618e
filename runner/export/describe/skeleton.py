"""Draws the output of `Topology.describe()`: a node for each call of the DSL, with edges, its topic and store.

Missing parts of the text (predicates, mappers, windows, computations) stay empty, with an issue of their field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from designer.topology.catalogue import get_catalogue
from designer.topology.graph import Graph, NodeConfig
from designer.topology.ports import GROUPS, KGroupedStream, KStream, KTable, PortType
from designer.values.schemas import WindowKind
from runner.export.describe import kinds, naming
from runner.export.describe.board import Board, End, Note, make_slug
from runner.export.describe.kinds import AGGREGATES, BRANCH, OPERATORS, SHUFFLE
from runner.export.describe.steps import DescribedSteps
from runner.export.describe.text import Undescribed


class AggregateStep(NamedTuple):
    """An aggregate of a stream, which may have windows: Kafka Streams prints the same text with and without them.

    `step` is its name in the text, `node` the drawn node. `windows` are the drawn ones, None without.
    """

    step: str
    node: str
    windows: WindowKind | None


class Skeleton(NamedTuple):
    graph: Graph
    notes: tuple[Note, ...]
    aggregates: tuple[AggregateStep, ...]


WindowChoice = WindowKind | Literal["none"]
WINDOW_CHOICES = (*get_args(WindowKind), "none")


def draw_skeleton(text: Any, windows: Any = MappingProxyType({})) -> Skeleton:
    """The graph of a description. `windows` are the user's, by the step of the aggregate. Raises Undescribed."""
    if not isinstance(text, str):
        raise Undescribed("The description is not a string.", "Send what `topology.describe().toString()` gives.")
    if not isinstance(windows, Mapping) or not all(each in WINDOW_CHOICES for each in windows.values()):
        raise Undescribed(
            "`windows` is not an object with windows by step.",
            f"Choose one of {', '.join(WINDOW_CHOICES)} for each step.",
        )
    builder = SkeletonBuilder(DescribedSteps(text), windows)
    builder.draw()
    return Skeleton(builder.board.builder.graph(), tuple(builder.board.notes()), tuple(builder.aggregates))


class SkeletonBuilder:
    def __init__(self, steps: DescribedSteps, windows: Mapping[str, WindowChoice]) -> None:
        self.steps = steps
        self.windows = windows
        self.aggregates: list[AggregateStep] = []
        self.board = Board()
        self.ends: dict[str, End] = {}
        self.rekeyed_steps: set[str] = set()
        """Steps with a new key since the last shuffle."""
        self.owners: dict[str, str] = {}
        """Store -> the step with its table."""
        self.groups: dict[End, End] = {}
        self.parts: set[str] = set()
        """Steps that are drawn as part of another."""
        self.lookups: list[tuple[str, str]] = []
        """Joins of streams, by step and node, that still need their right side."""

    def draw(self) -> None:
        for name in self.steps.by_name:
            if self.steps.kind(name) in kinds.HOLD_TABLES or naming.holds_table(self.steps, name):
                self._note_owner(name)
        for name in self.steps.sort_steps():
            if self.steps.kind(name) not in kinds.PARTS:
                self._draw(name)
        for name, node in self.lookups:
            self._look_up(name, node)
        self._note_shared_stores()
        for name in self.steps.by_name:
            if self.steps.kind(name) in kinds.PARTS and name not in self.parts:
                raise self._refuse_undescribed(name)

    def _draw(self, name: str) -> None:
        before, kind = self.steps.before[name], self.steps.kind(name)
        certain = bool(kind)
        if not certain:
            kind, certain = naming.find_kind_around(self.steps, name, self._make_end(before[0]).gives, self.owners)
            self.steps.kinds[name] = kind
        if kind == kinds.SOURCE:
            self._add_source(name)
        elif kind in kinds.TABLE_SOURCES:
            self._add_table(name, OPERATORS[kind])
        elif kind == kinds.SINK:
            self._add_sink(name)
        elif kind == SHUFFLE:
            self._add_repartition(name)
        elif kind == BRANCH:
            self._add_split(name)
        elif self.steps.is_join(name):
            self._join(name, kind)
        elif kind in AGGREGATES:
            self._aggregate(name, self._group(before[0]))
        elif kind == "COGROUPKSTREAM-MERGE":
            self._cogroup(name)
        elif kind == "KSTREAM-KEY-SELECT" and self._is_grouped(name):
            self._connect(before, self._add(name, OPERATORS[kinds.REGROUPED_PREFIX], KGroupedStream).node)
        else:
            self._add_plain(name, kind)
        if not certain:
            self._leave_open(name, f"the name `{name}` does not say what it is")

    def _add_source(self, name: str) -> None:
        after = {self.steps.kind(each) for each in self.steps.after[name]}
        if after and after <= kinds.TABLE_SOURCES:
            return  # drawn as the table
        topic, *more = self.steps.by_name[name].names or [""]
        config = {"topic": topic} | ({"topics": more} if more else {})
        self._add(
            name,
            OPERATORS[kinds.SOURCE],
            KStream,
            **(config if topic else {"pattern": self.steps.by_name[name].fact}),
        )

    def _add_table(self, name: str, operator: str) -> None:
        topics = self.steps.by_name[self.steps.before[name][0]].names
        self._add(name, operator, KTable, topic="".join(topics[:1]), **self._find_store(name, operator))
        self._note_owner(name)

    def _add_sink(self, name: str) -> None:
        step = self.steps.by_name[name]
        config = {} if step.chooses else {"topic": step.fact}
        self._connect(self.steps.before[name], self._add(name, OPERATORS[kinds.SINK], None, **config).node)
        if step.chooses:
            owner, of_lambda, _ = step.fact.partition("$$Lambda")
            self._leave_open(
                name,
                f"{'a lambda of ' if of_lambda else ''}`{owner}` chooses the topic, which `topic_expression` does here",
            )

    def _add_plain(self, name: str, kind: str) -> None:
        operator, before = OPERATORS[kind], self.steps.before[name]
        gives = kinds.find_output_type(kind)
        end = self._add(name, operator, gives, **self._find_store(name, operator))
        self._connect(before, end.node)
        if gives is KTable:
            self._note_owner(name)
        elif (get_catalogue()[operator].rekeys and gives is KStream) or not self.rekeyed_steps.isdisjoint(before):
            self.rekeyed_steps.add(name)
        if kind in kinds.LOOKUPS:
            self.lookups.append((name, end.node))
        if kind == "KTABLE-TRANSFORMVALUES":
            self._leave_open(name, "there is no transformValues of tables here")
        if kind in kinds.LOOKUPS and self.steps.has_buffer(name):
            self._leave_open(name, "it waits for late rows, so set its `grace_ms` and the `history_ms` of the table")

    def _note_shared_stores(self) -> None:
        # a shuffle that a later step implies ends in the node before it, so several steps may be one node
        sharing: dict[str, dict[str, str]] = {}
        for name, end in self.ends.items():
            for store in self.board.nodes[end.node].config.get("stores", ()):
                sharing.setdefault(store["name"], {}).setdefault(end.node, name)
        for store, steps in sharing.items():
            for node, name in steps.items():
                others = [f"`{each}`" for each in steps if each != node]
                if others:
                    verb = "shares" if len(others) == 1 else "share"
                    self._leave_open(
                        name, f"{', '.join(others)} {verb} its store `{store}`, but here each node has its own"
                    )

    def _add_repartition(self, name: str) -> None:
        """An edge if a later step needs the changed key. A node for a call of repartition()."""
        topic, before = self.steps.topic(name).removesuffix("-repartition"), self.steps.before[name]
        is_explicit, is_generated = (
            topic.startswith("KSTREAM-REPARTITION-"),
            kinds.GENERATED_NAME.match(topic) is not None,
        )
        is_implied = not is_explicit and (is_generated or not self.rekeyed_steps.isdisjoint(before))
        if len(before) == 1 and (is_implied or self._make_end(before[0]).gives in GROUPS):
            self.ends[name] = self._make_end(before[0])
        else:
            self._connect(
                before, self._add(name, OPERATORS[SHUFFLE], KStream, base_name="" if is_generated else topic).node
            )

    def _is_grouped(self, name: str) -> bool:
        """Whether all steps after a new key group by it, without the user's repartition()."""
        shuffles = self.steps.after[name]
        behind = [each for shuffle in shuffles for each in self.steps.after[shuffle]]
        return bool(behind) and all(
            [
                self.steps.kind(each) == SHUFFLE and "KSTREAM-REPARTITION-" not in self.steps.topic(each)
                for each in shuffles
            ]
            + [self._aggregates(each) for each in behind]
        )

    def _aggregates(self, name: str) -> bool:
        kind = self.steps.kind(name) or naming.find_kind_around(self.steps, name, KGroupedStream, self.owners)[0]
        return kind in AGGREGATES

    def _group(self, before: str) -> End:
        end = self._make_end(before)
        if end.gives in GROUPS:
            return end
        if end not in self.groups:
            self.groups[end] = self._add(None, OPERATORS[kinds.GROUP_STEP], KGroupedStream)
            self.board.connect(end, self.groups[end].node)
        return self.groups[end]

    def _aggregate(self, name: str, groups: End) -> None:
        words = self.steps.words_of(name)
        kind = self.steps.kind(name)
        counts = kind in kinds.MAY_COUNT and bool(words & naming.COUNTS)
        operator = OPERATORS[kinds.COUNT_STEP if counts else kind]
        of_stream = groups.gives is KGroupedStream
        windows = self._choose_windows(name) if of_stream else None
        if windows:
            windowing = self._add(None, OPERATORS[kinds.WINDOW_STEP], KGroupedStream, type=windows)
            self.board.connect(groups, windowing.node)
            groups = windowing
        end = self._add(name, operator, KTable, **self._find_store(name, operator))
        self.board.connect(groups, end.node)
        self._note_owner(name)
        if counts:
            self._leave_open(
                name, "Kafka Streams prints counts and aggregates alike; only the name says that this is a count"
            )
        if of_stream:
            self.aggregates.append(AggregateStep(name, end.node, windows))
        if of_stream and name not in self.windows:
            why = "only the name says that there are some" if windows else "put windowed_by before it if it has some"
            self._leave_open(name, f"Kafka Streams does not print windows; {why}")

    def _choose_windows(self, name: str) -> WindowKind | None:
        """The user's choice for an aggregate, else what its name says."""
        choice = self.windows.get(name)
        if choice is not None:
            return None if choice == "none" else choice
        words = self.steps.words_of(name) & naming.WINDOWS.keys()
        return next((naming.WINDOWS[word] for word in sorted(words)), None)

    def _cogroup(self, name: str) -> None:
        every = self.steps.before[name]
        if any(self.steps.kind(each) != "COGROUPKSTREAM-AGGREGATE" for each in every):
            raise self._refuse_undescribed(name)
        self.parts.update(every)
        groups = dict.fromkeys(self._group(self.steps.before[each][0]) for each in every)
        rows = [{"name": f"input{number}"} for number, _ in enumerate(groups, start=1)]
        cogrouping = self._add(None, OPERATORS[kinds.COGROUP_STEP], KGroupedStream, inputs=rows)
        for row, group in zip(rows, groups, strict=True):
            self.board.connect(group, cogrouping.node, row["name"])
        self._aggregate(name, cogrouping)

    def _add_split(self, name: str) -> None:
        branches = self.steps.after[name]
        self.parts.update(branches)
        ports = naming.name_branches(name, branches)
        rows = [{"name": port} for port in dict.fromkeys(ports.values()) if port != "default"]
        end = self._add(name, OPERATORS[BRANCH], KStream, branches=rows)
        self._connect(self.steps.before[name], end.node)
        self.ends |= {each: End(end.node, port, KStream) for each, port in ports.items()}
        if not self.rekeyed_steps.isdisjoint(self.steps.before[name]):
            self.rekeyed_steps.update(branches)
        are_numbered = all(each.removeprefix(name).isdecimal() for each in branches)
        if not are_numbered or not kinds.GENERATED_NAME.match(name):
            read = ", ".join(f"`{each}`" for each in branches)
            unknown = "" if are_numbered else "; their order and default are unknown"
            self._leave_open(name, f"{read} are read as its branches{unknown}")

    def _join(self, name: str, kind: str) -> None:
        """A join of two streams or two tables: the inputs of its parts on both sides."""
        sides: dict[bool, str] = {}
        inside = dict.fromkeys((each, self.steps.kind(each) in kinds.LEFT) for each in self.steps.before[name])
        waiting = list(inside)
        for each, left in waiting:
            for up in self.steps.before[each]:
                next_step = (up, left or self.steps.kind(up) in kinds.LEFT)
                if self.steps.kind(up) not in kinds.JOIN_PARTS[kind]:
                    sides[left] = up
                elif next_step not in inside:
                    inside[next_step] = None
                    waiting.append(next_step)
        parts = {each for each, _ in inside}
        self.parts |= parts
        words = " ".join([*(self.steps.kind(each) for each in parts), *self.steps.stores(name)])
        join = kinds.OUTER if "OUTERTHIS" in words else kinds.LEFT_OUTER if "OUTEROTHER" in words else kinds.INNER
        operator = OPERATORS[join]
        store = self._find_store(name, operator) if kind != "KSTREAM-MERGE" else {}
        is_foreign = kind == "KTABLE-FK-JOIN-OUTPUT"
        foreign_key = {"foreign_key": ""} if is_foreign else {}  # the check asks for it
        end = self._add(name, operator, kinds.find_output_type(kind), **store, **foreign_key)
        for port, left in (("left", True), ("right", False)):
            if sides:  # an optimized self-join has only one side
                self.board.connect(self._make_end(sides.get(left) or sides[not left]), end.node, port)
        if kind == "KSTREAM-MERGE" and len(sides) == 1 and join == kinds.INNER:
            self._leave_open(name, "Kafka Streams prints inner and left joins of a stream with itself alike")
        if kind != "KSTREAM-MERGE":
            self._note_owner(name)
            which = "inner and left joins by a foreign key" if is_foreign else "inner, left and outer joins of tables"
            self._leave_open(name, f"Kafka Streams prints {which} alike")

    def _look_up(self, name: str, node: str) -> None:
        """The right side of a stream's join: the table with the store that it reads, else a global one."""
        tables = {self.owners[store] for store in self.steps.stores(name) if store in self.owners}
        if nearest := [each for each in self.ends if each in tables][-1:]:
            views = self._find_views(nearest[0])
            if len(views) > 1:
                nodes = " or ".join(f"`{self.ends[each].node}`" for each in views)
                self._leave_open(name, f"it joins {nodes}, which have one store")
        else:
            views = [each for each in self.ends if self.steps.kind(each) == kinds.GLOBAL]
            which = "" if len(views) == 1 else " and does not name the table"
            self._leave_open(name, f"Kafka Streams prints inner and left joins with a global table alike{which}")
            views = [each for each in views if not self.board.feeds(self.ends[each].node)] or views
        if views:
            self.board.connect(self.ends[views[0]], node, "right")

    def _find_views(self, table: str) -> list[str]:
        """The table and its storeless results. If nothing else reads some of them, only those."""
        views = {table: None}
        for each in (waiting := [table]):
            for up in self.steps.after[each]:
                is_view = up in self.ends and self.ends[up].gives is KTable and not self.steps.stores(up)
                if is_view and up not in views and not self.steps.is_join(up):
                    views[up] = None
                    waiting.append(up)
        return [each for each in views if not self.steps.after[each]] or list(views)

    def _add(self, name: str | None, operator: str, gives: PortType | None, base_name: str = "", **config: Any) -> End:
        """A node with the user's name of the step, or its topic or store, else its operator."""
        if name is not None and not base_name:
            chosen_name = "" if kinds.GENERATED_NAME.match(name) else naming.SUFFIX.sub("", name)
            base_name = (
                chosen_name
                or config.get("topic", "")
                or "".join(self._find_stores(name)[:1] if gives is KTable else [])
            )
        end = self.board.add(base_name, operator, gives, config)
        if name is not None:
            self.ends[name] = end
        return end

    def _connect(self, before: Iterable[str], node: str) -> None:
        """Into the first input of a node. A processor or sink of the Processor API may take several streams, which a
        merge joins here."""
        ends = list(dict.fromkeys(self._make_end(each) for each in before))
        if len(ends) > 1 and self.board.nodes[node].operator != OPERATORS["KSTREAM-MERGE"]:
            merging = self._add(None, OPERATORS["KSTREAM-MERGE"], KStream)
            for end in ends:
                self.board.connect(end, merging.node)
            ends = [merging]
        for end in ends:
            self.board.connect(end, node)

    def _make_end(self, name: str) -> End:
        if name not in self.ends:
            raise self._refuse_undescribed(name)
        return self.ends[name]

    def _refuse_undescribed(self, name: str) -> Undescribed:
        line = self.steps.by_name[name].line
        message = f"Line {line}: `{name[:80]}` is named like an internal step, but the step it belongs to is missing."
        return Undescribed(message, "Give that processor another name (Named.as) and describe the topology again.")

    def _find_stores(self, name: str) -> list[str]:
        """The stores of a step with a name from the user."""
        return [store for store in self.steps.stores(name) if kinds.is_named_by_user(store)]

    def _find_store(self, name: str, operator: str) -> NodeConfig:
        stores = [make_slug(store) for store in self._find_stores(name)]
        if not stores or self.steps.kind(name) in kinds.LOOKUPS:
            return {}
        fields = get_catalogue()[operator].model_fields
        if "stores" in fields:
            return {"stores": [{"name": store} for store in stores]}
        return {"store": stores[0]} if "store" in fields else {}

    def _note_owner(self, name: str) -> None:
        for store in self.steps.stores(name):
            self.owners.setdefault(store, name)

    def _leave_open(self, name: str, why: str) -> None:
        self.board.leave_open(self.ends[name].node, why)
