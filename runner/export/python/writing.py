"""Writes the Python that draws a graph, with `StreamsBuilder`."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterable, Mapping
from typing import Any

import runner.engine.operators  # noqa: F401  (fills the catalogue)
from designer.refusals import Refusal
from designer.topology.catalogue import get_catalogue
from designer.topology.graph import Edge, Graph, Node, Note

WIDTH = 110
HEAD = '''"""{name}, drawn with Streamwright.

Run it in a checkout to get the topology as JSON, which the home page imports:

    .venv/bin/python {file}.py > {file}.json
    .venv/bin/python manage.py deploy {file}.json
"""

from runner.export.python.builder import StreamsBuilder

builder = StreamsBuilder()

'''


def write_python(name: str, file: str, graph: Graph, schemas: Mapping[str, Any]) -> str:
    """The program, with its statements in the order of the flow. Raises Refusal if there is no order."""
    nodes = graph.sort_nodes()
    if len(nodes) < len(graph.nodes):
        raise Refusal("This graph has a cycle, so it cannot be exported as a program.", "Remove the cycle first.")
    names = _choose_names(node.id for node in nodes)
    statements = [_write_statement(graph, node, names) for node in nodes]
    read = {node_id: schema for node_id, schema in schemas.items() if node_id in names}
    options = {"schemas": read, "positions": _find_positions(graph)}
    arguments = [f"{argument}={_write_literal(value)}" for argument, value in options.items() if value]
    ending = _call("builder.export", [_write_literal(name), *arguments])
    head = HEAD.format(name=name.replace("\\", "").replace('"', "'"), file=file)
    blocks = ["\n".join(statements), "\n".join(map(_write_note, graph.notes)), f"print({ending})\n"]
    return head + "\n\n".join(filter(None, blocks))


def _find_positions(graph: Graph) -> dict[str, list[float]]:
    """The positions of nodes. Empty without notes, because columns suffice."""
    places = {node.id: node.position for node in graph.nodes if graph.notes}
    return {node_id: [_shorten(place.x), _shorten(place.y)] for node_id, place in places.items()}


def _write_note(note: Note) -> str:
    at = note.position
    place = [str(_shorten(each)) for each in (at.x, at.y, at.width, at.height)]
    colour = [f"colour={_quote(note.colour)}"] if note.colour else []
    return _call(f"builder.{note.kind}", [_quote(note.text), *place, *colour])


def _shorten(number: float) -> float:
    return int(number) if number == int(number) else number


def _write_statement(graph: Graph, node: Node, names: Mapping[str, str]) -> str:
    kind = get_catalogue().get(node.operator)
    if kind is None:
        raise Refusal(
            f"`{node.id}` is a `{node.operator[:80]}`, which is not an operator.", "Remove or replace the node."
        )
    inputs: dict[str, list[str]] = {}
    for edge in graph.edges_into(node.id):
        inputs.setdefault(edge.target_port, []).append(_write_source(graph, edge, names))
    on = "builder"
    first = next(iter(kind.input_ports(node.config)), None)
    if first in inputs:
        on = inputs[first].pop(0)
        if not inputs[first]:
            del inputs[first]
    ports = {port: every[0] if len(every) == 1 else f"[{', '.join(every)}]" for port, every in inputs.items()}
    fields = {name: _write_literal(value) for name, value in node.config.items()}
    looks = {"bypassed": "True" if node.bypassed else "", "colour": _quote(node.colour) if node.colour else ""}
    keywords = {**ports, **fields, **{name: text for name, text in looks.items() if text}}
    arguments = [_quote(node.id), *(f"{name}={text}" for name, text in keywords.items() if _is_name(name))]
    others = [f"{_quote(name)}: {text}" for name, text in keywords.items() if not _is_name(name)]
    if others:
        arguments.append(f"**{{{', '.join(others)}}}")
    call = _call(f"{on}.{node.operator}", arguments)
    return f"{names[node.id]} = {call}" if any(graph.edges_from(node.id)) else call


def _write_source(graph: Graph, edge: Edge, names: Mapping[str, str]) -> str:
    source = graph.node(edge.source)
    kind = get_catalogue().get(source.operator)
    first = next(iter(kind.output_ports(source.config)), None) if kind else None
    name = names[edge.source]
    return name if edge.source_port == first else f"{name}[{_quote(edge.source_port)}]"


def _call(function: str, arguments: list[str]) -> str:
    line = f"{function}({', '.join(arguments)})"
    if len(line) <= WIDTH and "\n" not in line:
        return line
    return "\n".join([f"{function}(", *(f"    {each}," for each in arguments), ")"])


def _write_literal(value: Any, indent: int = 4) -> str:
    """A value of JSON as Python, on one line if it fits after `indent` characters."""
    if isinstance(value, str):
        return _quote(value)
    line = _write_on_one_line(value)
    if len(line) + indent <= WIDTH or not isinstance(value, list | dict):
        return line
    inner = " " * (indent + 4)
    if isinstance(value, list):
        lines = [f"{inner}{_write_literal(each, indent + 4)}," for each in value]
        return "\n".join(["[", *lines, f"{' ' * indent}]"])
    lines = [f"{inner}{_quote(name)}: {_write_literal(each, indent + 4)}," for name, each in value.items()]
    return "\n".join(["{", *lines, f"{' ' * indent}}}"])


def _write_on_one_line(value: Any) -> str:
    match value:
        case str():
            return _quote(value)
        case list():
            return f"[{', '.join(map(_write_on_one_line, value))}]"
        case dict():
            return f"{{{', '.join(f'{_quote(name)}: {_write_on_one_line(each)}' for name, each in value.items())}}}"
        case _:
            return repr(value)


def _quote(text: str) -> str:
    """A text in plain quotes if possible, else in repr's form."""
    if "\\" in text or not all(line.isprintable() for line in text.split("\n")):
        return repr(text)
    if "\n" in text:
        return repr(text) if '"""' in text or text.endswith('"') else f'"""{text}"""'
    return f'"{text}"' if '"' not in text else repr(text)


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def _choose_names(ids: Iterable[str]) -> dict[str, str]:
    """A variable for each node, unique even if two ids differ only by - and _."""
    names: dict[str, str] = {}
    used_names = {"builder", "StreamsBuilder", *dir(builtins)}
    for node_id in ids:
        name = base_name = node_id.replace("-", "_") if node_id[0].isalpha() else f"n_{node_id.replace('-', '_')}"
        number = 2
        while name in used_names or not _is_name(name):
            name, number = f"{base_name}_{number}", number + 1
        used_names.add(name)
        names[node_id] = name
    return names
