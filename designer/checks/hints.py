"""Finds what is allowed but seldom meant.

A hint never prevents a deploy: Kafka Streams accepts these topologies, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Literal, NamedTuple

from designer.checks.graph_view import GraphView
from designer.expressions.types import describe
from designer.issues import Fix, Issue
from designer.messages import FixCode, IssueCode
from designer.streams.formats import SCHEMA_FORMATS, SCHEMA_NAMES, choose_format, fits
from designer.streams.topics import ReadsTopic, WritesTopic
from designer.values.schemas import Kind, Schema, Side, Type

MAX_HINTS = 100
NUMBERS = frozenset({Kind.INTEGER, Kind.DOUBLE, Kind.DECIMAL})
SideName = Literal["key", "value"]


def find_hints(view: GraphView) -> list[Issue]:
    """The hints of a graph, MAX_HINTS at most. Raises TooCostly."""
    return list(islice((hint for claim in HINTS for hint in claim(view)), MAX_HINTS))


class User(NamedTuple):
    """A node that writes or reads a topic, and the schema in which it does."""

    node: str
    schema: Schema
    is_source: bool

    def side(self, name: SideName) -> Side:
        return self.schema.key if name == "key" else self.schema.value

    def name_form(self, name: SideName) -> str:
        """`json`, or `a windowed key` for Kafka's bytes of one."""
        window = self.schema.window if name == "key" else None
        return self.side(name).format if window is None else f"{window.kind} windows of {self.side(name).format}"


def formats_agree(view: GraphView) -> Iterator[Issue]:
    """All nodes of one topic use one format and schema, so that readers can decode every record."""
    for topic, users in _find_users(view).items():
        names: tuple[SideName, ...] = ("key", "value")
        for name in names:
            model = _choose_model(view, users, name)
            for user in users:
                if not user.is_source and user is not model:
                    view.budget.charge(user.node)
                    if issue := _compare(topic, name, user, model):
                        yield issue


def states_bounded(view: GraphView) -> Iterator[Issue]:
    """Operators say themselves which state nothing ever removes."""
    for node_id, flowing in view.flows.items():
        if flowing.is_valid:
            for hint in flowing.operator.hints(flowing.inputs):
                yield replace(hint, node=node_id)


HINTS: tuple[Callable[[GraphView], Iterator[Issue]], ...] = (formats_agree, states_bounded)


def _find_users(view: GraphView) -> dict[str, list[User]]:
    """The nodes of each topic that several use, sources first. Sources of unknown schema are left out."""
    users: dict[str, list[User]] = defaultdict(list)
    sinks = [(node, operator, view.flows.get(node.id)) for node, operator in view.nodes_of(WritesTopic)]
    for node, sink, flowing in sinks:
        if flowing is not None and flowing.is_valid:
            for topic in sink.topic_names():
                users[topic].append(User(node.id, sink.find_schema_written(flowing.inputs.only.schema), False))
    for node, source in view.nodes_of(ReadsTopic):
        flowing = view.flows.get(node.id)
        schema = next((flow.schema for flow in flowing.outputs.values()), None) if flowing is not None else None
        if schema is not None and (node.id in view.sources or source.declares_format):
            for topic in source.topic_names():
                users[topic].insert(0, User(node.id, schema, True))
    return {topic: each for topic, each in users.items() if len(each) > 1}


def _choose_model(view: GraphView, users: Sequence[User], name: SideName) -> User:
    """The node that the others should follow: a source, else one whose form says its format, else the best default."""
    ranks: tuple[Callable[[User], bool], ...] = (
        lambda user: user.is_source,
        lambda user: view.graph.node(user.node).config.get(f"{name}_format") is not None,
        lambda user: user.schema.window is None and _is_plain(user.side(name)),
    )
    return next((user for rank in ranks for user in users if rank(user)), users[0])


def _is_plain(side: Side) -> bool:
    """Whether the format is the default of the type, and the key of no window."""
    return side.format == choose_format(side.type) and not _is_window(side.type)


def _compare(topic: str, name: SideName, user: User, model: User) -> Issue | None:
    here, there = user.side(name), model.side(name)
    forms = user.name_form(name), model.name_form(name)
    if "none" in (here.format, there.format):
        return None  # it writes null, which every format reads
    if forms[0] == forms[1]:
        if (why := _explain_difference(here, there)) is None:
            return None
        forms = why
    fix = None
    field = f"{name}_format"
    if here.format != there.format and there.format not in SCHEMA_FORMATS and fits(Side(there.format, here.type)):
        fix = Fix(FixCode.USE, there.format, f"`{there.format}`")
    elif user.schema.window is None and here.format == "json" and _is_window(here.type) and not _is_window(there.type):
        field, fix = "windowed_key", Fix(FixCode.USE, "key", "`key`")
    verb = "reads" if model.is_source else "writes"
    return Issue(
        IssueCode.TOPIC_FORMATS_DIFFER,
        {"topic": topic, "side": name, "here": forms[0], "there": forms[1], "node": model.node, "verb": verb},
        node=user.node,
        field=field,
        fix=fix,
    )


def _is_window(type_: Type) -> bool:
    return [field.name for field in type_.fields] == ["key", "start", "end"]


def _explain_difference(one: Side, other: Side) -> tuple[str, str] | None:
    """How two sides of one format differ, in words. None if a reader of one can read the other."""
    if one.schema is not None and other.schema is not None:
        if one.schema.header != other.schema.header:
            words = f"{one.format} with Confluent's header", f"plain {one.format}"
            return words if one.schema.header else words[::-1]
        is_same = (one.schema.text, one.schema.message) == (other.schema.text, other.schema.message)
        return None if is_same else (f"one {SCHEMA_NAMES[one.format]}", "another")
    contradiction = _find_contradiction(one.type, other.type)
    if contradiction is None:
        return None
    path, first, second = contradiction
    where = f" in `{path}`" if path else ""
    return f"{one.format} with {describe(first)}{where}", f"{other.format} with {describe(second)}{where}"


def _find_contradiction(one: Type, other: Type, path: str = "") -> tuple[str, Type, Type] | None:
    """The first place that has another kind of value in each type. Fields of only one of them contradict nothing."""
    if Kind.ANY in (one.kind, other.kind) or (one.kind in NUMBERS and other.kind in NUMBERS):
        return None
    if one.kind is not other.kind:
        return path, one, other
    if one.item is not None and other.item is not None:
        return _find_contradiction(one.item, other.item, f"{path}[]")
    others = {field.name: field.type for field in other.fields}
    pairs = ((field, others[field.name]) for field in one.fields if field.name in others)
    found = (_find_contradiction(field.type, type_, f"{path}.{field.name}".lstrip(".")) for field, type_ in pairs)
    return next((each for each in found if each is not None), None)
