"""The hooks through which the engine asks an operator: each has the types of its protocol."""

import inspect
from collections.abc import Iterator
from typing import Any, get_type_hints

import pytest

import runner.engine.operators  # noqa: F401 - fills the catalogue
from designer.topology.catalogue import Operator
from runner.engine.operators.filter import Filter
from runner.engine.planning.parts import HasParts
from runner.engine.planning.tables import PlansTables
from runner.engine.queryable.tables import PresentsEntries
from runner.engine.tasks.processor_context import MakesProcessor, check_processors

HOOKS = [HasParts.parts, PlansTables.plan_tables, MakesProcessor.processor, PresentsEntries.present]


def defined(kind: type[Operator] = Operator) -> Iterator[Any]:
    """The methods of all operators that are named like a hook."""
    for each in kind.__subclasses__():
        yield from (vars(each)[hook.__name__] for hook in HOOKS if hook.__name__ in vars(each))
        yield from defined(each)


@pytest.mark.parametrize("method", [*defined()], ids=lambda method: method.__qualname__)
def test_a_hook_takes_and_gives_what_its_protocol_says(method: Any) -> None:
    (hook,) = (each for each in HOOKS if each.__name__ == method.__name__)
    (wanted, result), (given, found) = _types(hook), _types(method)

    assert given == wanted
    assert found == result or (inspect.isclass(found) and issubclass(found, result.__args__[0]))


def test_every_hook_is_defined_by_some_operator() -> None:
    assert {method.__name__ for method in defined()} == {hook.__name__ for hook in HOOKS}


def test_an_operator_that_forgets_its_processor_is_refused() -> None:
    class Forgetful(Operator):
        """Lacks a processor and does not say that records pass it."""

    with pytest.raises(TypeError, match="operator `forgetful` needs either a processor"):
        check_processors([Forgetful])


def test_an_operator_with_a_processor_cannot_say_that_records_pass_unchanged() -> None:
    class Both(Filter):
        """Has a processor and denies it."""

        passes_unchanged = True

    with pytest.raises(TypeError, match="operator `both` needs either"):
        check_processors([Both])


def _types(method: Any) -> tuple[list[Any], Any]:
    """What a method takes behind `self`, and what it gives."""
    hints = get_type_hints(method)
    result = hints.pop("return")
    return list(hints.values()), result
