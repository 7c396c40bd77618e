"""Which type takes values of several, and what a value of an unexpected type is called."""

from __future__ import annotations

import pickle

import pytest

from designer.expressions.errors import RecordError
from designer.expressions.types import find_common_type, with_article
from designer.values.schemas import ANY, DOUBLE, INTEGER, STRING, Type, struct


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        (struct(id=INTEGER, of=ANY), struct(id=INTEGER, of=STRING), struct(id=INTEGER, of=ANY)),
        (struct(id=INTEGER, of=STRING), struct(id=INTEGER, other=STRING), None),
        (struct(id=INTEGER), struct(id=STRING), None),
        (struct(id=INTEGER), struct(id=DOUBLE), None),
    ],
)
def test_structs_have_a_common_type_when_no_field_needs_a_conversion(one: Type, other: Type, joined: Type | None):
    assert find_common_type([one, other]) == joined
    assert find_common_type([other, one]) == joined


@pytest.mark.parametrize(("held", "words"), [(INTEGER, "an integer"), (STRING, "a string"), (DOUBLE, "a double")])
def test_a_type_is_written_with_its_article(held: Type, words: str):
    assert with_article(held) == words


def test_a_failed_record_is_told_the_same_by_another_process():
    failed = pickle.loads(pickle.dumps(RecordError("late", "predicate", "Division by zero.")))

    assert (failed.node, failed.field, str(failed)) == ("late", "predicate", "Division by zero.")
