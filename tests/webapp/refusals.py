"""The refusals that a function may raise, read from the code that it reaches.

It follows names of functions, classes and modules, and attributes of which our code has one method of that name. What a
task of Celery does happens later, and what the engine does to a record happens in a run: neither refuses a request.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import FunctionType
from typing import Any

from designer.refusals import Refusal
from webapp.local.places import ROOT

ROOMS = ("designer", "runner", "webapp")
IN_A_RUN = (
    "runner.engine.tasks",
    "runner.spark.batches",
    "runner.spark.chain",
    "runner.spark.run",
    "runner.spark.session",
    "runner.spark.stage",
    "runner.spark.start",
    "runner.spark.source",
)
"""What happens in the child of a run."""


def find_refusals(function: Callable[..., Any]) -> set[type[Refusal]]:
    """The classes of refusals that a call of a function may raise."""
    seen: set[Callable[..., Any]] = set()
    todo, found = [inspect.unwrap(function)], set[type[Refusal]]()
    while todo:
        if (at := todo.pop()) not in seen:
            seen.add(at)
            refusals, functions = _read(at)
            found |= refusals
            todo += functions
    return found


@cache
def _read(function: FunctionType) -> tuple[frozenset[type[Refusal]], frozenset[FunctionType]]:
    """The refusals that its own lines raise, and the functions that they name."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):  # a method that dataclasses made has no source
        return frozenset(), frozenset()
    names = {**function.__globals__, **dict(_find_inner_imports(tree))}
    refusals, functions = set[type[Refusal]](), set[FunctionType]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            raised = _resolve(node.exc.func if isinstance(node.exc, ast.Call) else node.exc, names)
            raised = _find_returned(raised) if isinstance(raised, FunctionType) else raised
            if isinstance(raised, type) and issubclass(raised, Refusal):
                refusals.add(raised)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            named = _resolve(node, names)
            if named is None and isinstance(node, ast.Attribute):
                functions.update(_find_methods(node.attr))
            functions.update(_find_functions(named))
    return frozenset(refusals), frozenset(functions)


def _find_inner_imports(tree: ast.AST) -> Iterator[tuple[str, Any]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in ROOMS:
            module = importlib.import_module(node.module)
            for alias in node.names:
                if not hasattr(module, alias.name):  # a module of that package which nobody has imported yet
                    importlib.import_module(f"{node.module}.{alias.name}")
                yield alias.asname or alias.name, getattr(module, alias.name)


def _resolve(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute) and (base := _resolve(node.value, names)) is not None:
        return inspect.getattr_static(base, node.attr, None)
    return None


def _find_returned(function: FunctionType) -> Any:
    """The class that a function says it returns, as one that makes an exception does."""
    answer = function.__annotations__.get("return")
    return function.__globals__.get(answer) if isinstance(answer, str) else answer


def _find_functions(named: Any) -> Iterator[FunctionType]:
    """What a call of this runs, as far as it is ours."""
    if hasattr(named, "apply_async"):
        return
    while hasattr(named, "__wrapped__"):
        named = named.__wrapped__
    named = named.__func__ if isinstance(named, classmethod | staticmethod) else named
    if isinstance(named, type) and _is_ours(named) and not issubclass(named, BaseException):
        for name in ("__init__", "__post_init__", "__enter__"):
            yield from _find_functions(vars(named).get(name))
    elif isinstance(named, FunctionType) and _is_ours(named):
        yield named


def _is_ours(named: Any) -> bool:
    module = named.__module__ or ""
    return module.split(".")[0] in ROOMS and _is_followed(module)


@cache
def _find_methods(name: str) -> tuple[FunctionType, ...]:
    """The method or property of that name, if all our classes have only one. Else none."""
    places = _list_methods().get(name, ())
    if len(places) != 1:
        return ()
    module, class_name = places[0]
    member = vars(vars(importlib.import_module(module))[class_name]).get(name)
    return tuple(_find_functions(member.fget if isinstance(member, property) else member))


@cache
def _list_methods() -> Mapping[str, list[tuple[str, str]]]:
    """By name, the module and class of each method that our files define. Those of a run count, and lead nowhere."""
    places: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for file in sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py")):
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for each in ast.parse(file.read_text()).body:
            for member in each.body if isinstance(each, ast.ClassDef) else ():
                if isinstance(member, ast.FunctionDef):
                    assert isinstance(each, ast.ClassDef)
                    places[member.name].append((module, each.name))
    return {name: found if _is_followed(found[0][0]) else [] for name, found in places.items()}


def _is_followed(module: str) -> bool:
    return not module.startswith(IN_A_RUN)
