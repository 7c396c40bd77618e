"""What is compiled is a plain function that can reach nothing but its arguments and our functions."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from decimal import InvalidOperation
from types import FunctionType
from typing import Any

import pytest

from designer.expressions import RecordError, check, compile_expression, compile_struct, name_asker
from designer.expressions.compile import describe_error
from designer.expressions.errors import Fault
from designer.expressions.functions import FUNCTIONS
from designer.expressions.nodes import check_nodes
from designer.topology.catalogue import Scope
from designer.values.schemas import ANY, INTEGER, STRING, struct
from designer.values.tuples import Windowed
from tests.designer.expressions.sample import RECORD, ROLES, SCOPE, compute

EXAMPLES = [example for function in FUNCTIONS.values() for example in function.examples]


def test_a_compiled_expression_has_no_builtins_and_only_generated_names() -> None:
    for text in (*EXAMPLES, "dep_delay > 60 AND upper(carrier) IN ('UA', 'DL')"):
        run = compile_expression(check(text, SCOPE), ROLES, node="n", field="f")
        assert isinstance(run, FunctionType)

        assert run.__globals__["__builtins__"] == {}
        assert all(name.startswith("_") or name == "get" for name in run.__code__.co_names)
        assert all(name.startswith("_") for name in run.__code__.co_varnames)


@pytest.mark.parametrize(
    "source",
    [
        *("_1.__class__", "_1.format()", "__import__", "[_1 for _1 in _2]", "lambda: _1", "f'{_1}'", "_1[_2:_3]"),
        *("(yield _1)", "{*_1}", "_1 if name else _2", "b'bytes'", "..."),
    ],
)
def test_any_other_python_is_caught_by_the_last_look(source: str) -> None:
    module = ast.parse(source)

    with pytest.raises(AssertionError, match="would contain"):
        check_nodes(module)


@pytest.mark.parametrize("text", EXAMPLES)
def test_expressions_leave_their_inputs_alone(text: str) -> None:
    before = copy.deepcopy(RECORD)

    compute(text)
    compute(f"named_struct('a', value, 'b', array(tags), 'c', {text})")

    assert before == RECORD


def test_a_role_that_is_not_handed_over_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(LookupError, match="timestamp"):
        compile_expression(check("timestamp", SCOPE), ("key", "value"), node="n", field="f")
    with pytest.raises(LookupError, match="headers"):
        compile_expression(check("headers[0].key", SCOPE), ROLES, node="n", field="f")


def _struct(kept: str | None, failed: list[object]) -> Callable[..., Any]:
    fields = {"double": check("2 * dep_delay", SCOPE), "per": check("60 / dep_delay", SCOPE)}

    def one_by_one(*record: object) -> None:
        failed.append(record)

    return compile_struct(fields, ROLES, side=kept, one_by_one=one_by_one)


def test_a_struct_is_the_fields_kept_and_those_computed() -> None:
    value = {"dep_delay": 30, "carrier": "UA"}
    record = [value if role == "value" else None for role in ROLES]

    assert _struct(None, [])(*record) == {"double": 60, "per": 2.0}
    assert _struct("value", [])(*record) == value | {"double": 60, "per": 2.0}


@pytest.mark.parametrize("value", [{"dep_delay": 0}, {"dep_delay": 2**62}, None, "text"])
def test_where_a_struct_cannot_be_made_at_once_it_is_made_one_by_one(value: object) -> None:
    failed: list[object] = []
    record = tuple(value if role == "value" else None for role in ROLES)

    _struct("value", failed)(*record)

    assert failed == [record]


def test_a_struct_may_ask_for_the_window_and_the_headers() -> None:
    scope = Scope({"key": STRING, "window": struct(start=INTEGER, end=INTEGER), "headers": ANY}, None, is_windowed=True)
    fields = {"from": check("window.start", scope), "trace": check("headers[0].value", scope)}

    run = compile_struct(fields, ("key",), side=None, one_by_one=print, headers=lambda: [{"value": "t-1"}])

    assert run(Windowed("JFK", 7, 8)) == {"from": 7, "trace": "t-1"}


WRONG_TYPE = (
    "A value does not have the type that the expression expects; typeof(…) shows its type, and CAST(… AS …) changes it."
)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (Fault("As told."), "As told."),
        (ZeroDivisionError(), "Division by zero; try_divide gives null instead."),
        (OverflowError(), "The result does not fit into 64 bits."),
        (UnicodeEncodeError("utf-8", "x", 0, 1, "no"), "A text contains characters that cannot be written as UTF-8."),
        (TypeError(), WRONG_TYPE),
        (AttributeError(), WRONG_TYPE),
        (InvalidOperation(), "A decimal cannot be computed or compared with NaN or infinity."),
        (MemoryError(), "There was not enough memory for the result."),
        (LookupError(), "The expression failed: LookupError."),
    ],
)
def test_whatever_fails_is_an_error_of_the_record_in_our_words(error: Exception, message: str) -> None:
    assert describe_error(error) == message


def test_an_error_names_its_node_and_field_and_who_asked() -> None:
    run = compile_expression(check("1 / dep_delay", SCOPE), ROLES, node="late", field="predicate")

    for asked, by in ((run, None), (name_asker(run, "join"), "join")):
        with pytest.raises(RecordError) as raised:
            asked("k", {"dep_delay": 0}, 0)
        found = raised.value
        assert (found.node, found.field, found.asker) == ("late", "predicate", by)
        assert found.message == "Division by zero; try_divide gives null instead."
