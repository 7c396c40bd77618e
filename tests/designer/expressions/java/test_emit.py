"""Java's emitter knows of each expression what the check and Python's emitter know."""

from __future__ import annotations

import pytest

from designer.expressions import check, emit
from designer.expressions.java import NotInJava
from designer.expressions.java.emit import Emitter
from tests.designer.expressions.test_checked import EXPRESSIONS, NAMES


@pytest.mark.parametrize("text", [text for text, _ in EXPRESSIONS])
def test_type_and_null_are_those_that_python_knows(text: str) -> None:
    checked = check(text, NAMES)
    known = emit.Emitter(tuple(NAMES.names), is_windowed=False, headers=list).emit(checked.tree)
    try:
        code = Emitter({name: name for name in NAMES.names}, is_windowed=False).emit(checked.tree)
    except NotInJava:
        return

    assert code.type == checked.type
    assert len(code.nulls) == len(known.nulls)
    assert code.is_nullable == known.is_nullable or " IN (" in text  # `Sql.within` may answer null in any case
