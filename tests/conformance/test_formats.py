"""Kept cases whose topics are Avro, Protobuf and JSON Schema: the kernel and the Python engine answer as before."""

from __future__ import annotations

import pytest

from runner.engine.driver import Driver
from tests.conformance.formats import SCHEMAS, cases_in, read_plain
from tests.conformance.product.compare import difference
from tests.conformance.product.on_driver import answer
from tests.runner.kernel_driver import KernelDriver


@pytest.mark.parametrize("kind", [Driver, KernelDriver])
@pytest.mark.parametrize("format_name", SCHEMAS)
def test_cases_have_the_same_answers_where_topics_have_schemas(format_name: str, kind: type[Driver]):
    cases = cases_in(format_name, one_in=8)

    assert len(cases) > 60
    for case, graph in cases:
        found = answer(case, graph, kind=kind, read=read_plain(format_name))
        assert difference(case, found, "stepwise") is None, case["name"]
