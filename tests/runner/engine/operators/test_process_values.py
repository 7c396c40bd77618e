"""process_values: Python that keeps the key."""

import textwrap

import pytest

from runner.engine.code import user_code
from tests.runner.graph_builder import GraphBuilder


@pytest.fixture(autouse=True)
def python_is_on(monkeypatch):
    monkeypatch.setenv("STREAMWRIGHT_ALLOW_PYTHON", "1")
    monkeypatch.setattr(user_code, "_is_trusted", True)


def driver(forwarded):
    code = f"""
        class Mine(Processor):
            def init(self, context):
                self.context = context

            def process(self, record):
                self.context.forward({forwarded})
    """
    builder = GraphBuilder().stream("in").add("mine", "process_values", {"code": textwrap.dedent(code)}, stream="in")
    return builder.to("out", "mine").driver()


def test_a_record_gets_a_new_value():
    doubling = driver("record.with_value(record.value * 2)")

    doubling.pipe("in", key="a", value=3)

    assert doubling.read("out") == [("a", 6)]


def test_another_key_is_an_error_of_the_record():
    renaming = driver("record.with_key('b')")

    renaming.pipe("in", key="a", value=3)

    assert renaming.read("out") == []
    assert renaming.counters()["mine"]["errors"] == 1
