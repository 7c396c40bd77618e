"""Users' Python for `process` and `process_values`: whether it is allowed, and the problems of its text.

It is trusted code: nothing isolates it from its process. This module only parses and compiles its text, so that the
web and its workers never call any of it.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from designer.issues import Issue
from designer.messages import IssueCode
from designer.topology.catalogue import get_catalogue
from designer.topology.forms import make_error
from designer.topology.graph import Graph

ALLOW = "STREAMWRIGHT_ALLOW_PYTHON"
BASE = "Processor"
MAX_BYTES = 65_536
NETWORK_MODULES = frozenset(
    {
        "aiohttp", "asyncpg", "boto3", "botocore", "confluent_kafka", "ftplib", "grpc", "http.client", "httpx",
        "imaplib", "kafka", "ldap3", "paramiko", "poplib", "psycopg", "psycopg2", "pymongo", "pymysql", "redis",
        "requests", "smtplib", "socket", "sqlalchemy", "telnetlib", "urllib.request", "urllib3", "websocket",
        "websockets", "xmlrpc.client",
    }
)  # fmt: skip
"""Modules that ask other servers. Of a package that does not, its module is named."""
SIDE_EFFECT = "side_effect"
"""The context's method that records the answers of other servers."""
METHODS = {"init": ("self", "context"), "process": ("self", "record"), "close": ("self",)}
"""The methods that the engine calls, with their parameters."""


def is_python_allowed() -> bool:
    """Whether this server may run its users' Python."""
    return os.environ.get(ALLOW) == "1"


def find_nodes_with_code(graph: Graph) -> list[str]:
    """The nodes with users' Python, in order of definition."""
    catalogue = get_catalogue()
    return [node.id for node in graph.nodes if node.operator in catalogue and catalogue[node.operator].runs_code]


def _check_size(text: str) -> str:
    size = len(text.encode(errors="replace"))
    if size > MAX_BYTES:
        raise make_error(Issue(IssueCode.CODE_TOO_LONG, {"bytes": size, "max_bytes": MAX_BYTES}))
    return text


PythonText = Annotated[
    str, StringConstraints(min_length=1), AfterValidator(_check_size), Field(json_schema_extra={"format": "python"})
]


@dataclass(frozen=True, slots=True)
class Outline:
    """The facts of code without running it: its class, the names it uses of attributes and modules, and its problem."""

    name: str = ""
    attributes: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    problem: Issue | None = None


@lru_cache(maxsize=128)
def read_outline(text: str) -> Outline:
    """The outline of code. With a problem, it has nothing else."""
    try:
        tree = ast.parse(text)
        compile(text, "<code>", "exec", dont_inherit=True)
    except SyntaxError as error:
        line = error.lineno or 1
        span = _find_span(text, line)
        return Outline(problem=Issue(IssueCode.CODE_SYNTAX, {"line": line, "why": error.msg}, span=span))
    except (ValueError, RecursionError, MemoryError, OverflowError):
        return Outline(problem=Issue(IssueCode.CODE_UNREADABLE, span=_find_span(text, 1)))
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef) and _extends_processor(each)]
    problem = _find_problem(text, classes)
    if problem is not None:
        return Outline(problem=problem)
    attributes = frozenset(each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute))
    return Outline(classes[0].name, attributes, frozenset(_list_modules(tree)))


def find_unrecorded_modules(text: str) -> list[str]:
    """The modules of code that ask other servers, unless it records the answers by `side_effect`.

    >>> find_unrecorded_modules("from http import client\\nclass Mine(Processor):\\n  def process(self, record): ...")
    ['http.client']
    """
    outline = read_outline(text)
    if SIDE_EFFECT in outline.attributes:
        return []
    parents = ((module, module.partition(".")[0]) for module in outline.modules)
    return sorted({module for module, package in parents if {module, package} & NETWORK_MODULES})


def find_unrecorded(graph: Graph) -> dict[str, list[str]]:
    """The nodes whose code asks other servers without recording the answers, with the modules that it imports."""
    codes = {node: graph.node(node).config.get("code") for node in find_nodes_with_code(graph)}
    found = {node: find_unrecorded_modules(code) for node, code in codes.items() if isinstance(code, str)}
    return {node: modules for node, modules in found.items() if modules}


def find_code_issues(text: str) -> Iterator[Issue]:
    """The issues of code: that it is off here, or its problem and line."""
    if not is_python_allowed():
        yield Issue(IssueCode.CODE_OFF, {"variable": ALLOW}, field="code")
    problem = read_outline(text).problem
    if problem is not None:
        yield replace(problem, field="code")


def _list_modules(tree: ast.Module) -> Iterator[str]:
    """The modules that code imports. What it takes from a package may be a module, too."""
    for each in ast.walk(tree):
        match each:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names if f"{module}.{name.name}" in NETWORK_MODULES)


def _extends_processor(definition: ast.ClassDef) -> bool:
    return any(isinstance(each, ast.Name) and each.id == BASE for each in definition.bases)


def _find_problem(text: str, classes: list[ast.ClassDef]) -> Issue | None:
    if not classes:
        return Issue(IssueCode.CODE_NO_CLASS, {"line": 1, "base": BASE}, span=_find_span(text, 1))
    if len(classes) > 1:
        first, second, *_ = classes
        return Issue(
            IssueCode.CODE_MANY_CLASSES,
            {"line": second.lineno, "first": first.name, "second": second.name, "base": BASE},
            span=_find_span(text, second.lineno),
        )
    (own,) = classes
    methods = {each.name: each for each in own.body if isinstance(each, ast.FunctionDef)}
    for name in ("init", "process", "close"):
        if name in methods and (line := _find_yield(methods[name])):
            return Issue(IssueCode.CODE_YIELDS, {"line": line, "method": name}, span=_find_span(text, line))
    if "process" not in methods and len(own.bases) == 1:
        return Issue(
            IssueCode.CODE_NO_PROCESS, {"line": own.lineno, "name": own.name}, span=_find_span(text, own.lineno)
        )
    return _find_wrong_parameters(text, methods) or _find_old_forward(text, own)


def _find_wrong_parameters(text: str, methods: Mapping[str, ast.FunctionDef]) -> Issue | None:
    """The issue of the first method that cannot be called as its base class says.

    `process(self, key, value)` is Kafka Streams' form before 2.7 (KIP-478).
    """
    for name, expected in METHODS.items():
        method = methods.get(name)
        if method is None or method.decorator_list:
            continue
        given = [*method.args.posonlyargs, *method.args.args]
        most = len(given) if method.args.vararg is None else max(len(given), len(expected))
        least = len(given) - len(method.args.defaults)
        needed_words = any(default is None for default in method.args.kw_defaults)
        if needed_words or not least <= len(expected) <= most:
            names = ", ".join(each.arg for each in (*given, *method.args.kwonlyargs)) or "none"
            given_count = len(given) + len(method.args.kwonlyargs)
            return Issue(
                IssueCode.CODE_PARAMETERS,
                {
                    "line": method.lineno,
                    "method": name,
                    "given": given_count,
                    "names": names,
                    "expected": ", ".join(expected),
                },
                span=_find_span(text, method.lineno),
            )
    return None


def _find_old_forward(text: str, own: ast.ClassDef) -> Issue | None:
    """The issue of the first call `context.forward(key, value)`."""
    for call in ast.walk(own):
        match call:
            case ast.Call(
                func=ast.Attribute(attr="forward", value=ast.Name("context") | ast.Attribute(attr="context")),
                args=[key, value, *_] as given,
            ) if not any(isinstance(each, ast.Starred) for each in given):
                return Issue(
                    IssueCode.CODE_FORWARD,
                    {
                        "line": call.lineno,
                        "given": len(given),
                        "key": _write(key),
                        "value": _write(value),
                    },
                    span=_find_span(text, call.lineno),
                )
    return None


def _write(expression: ast.expr) -> str:
    """The beginning of an expression."""
    try:
        return ast.unparse(expression)[:40]
    except RecursionError:  # Python compiles deeper expressions than it writes
        return "…"


def _find_yield(function: ast.FunctionDef) -> int:
    """The line on which a function itself yields, or 0."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, ast.Yield | ast.YieldFrom):
            return each.lineno
        if not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(each))
    return 0


def _find_span(text: str, line: int) -> tuple[int, int]:
    """The place of a line in the text."""
    lines = text.splitlines(keepends=True) or [""]
    line = min(line, len(lines))
    start = sum(map(len, lines[: line - 1]))
    return start, start + len(lines[line - 1].rstrip("\r\n"))
