"""Trials and test cases read, show and compare decimals with all their digits."""

from __future__ import annotations

from typing import Any

from designer.values import exact_json
from designer.values.schemas import STRING, decimal, struct
from runner.watch.trials.answers import answer
from runner.watch.trials.differences import find_first_difference
from runner.watch.trials.lines import read_expected, read_lines, write_lines
from runner.watch.trials.questions import AskCases, AskOutput, Question, read_question
from tests.runner.graph_builder import GraphBuilder

RECORDS = """{"topic": "payments", "key": "a", "value": {"city": "x", "amount": 12345678901234567.89}}
{"topic": "payments", "key": "a", "value": {"city": "x", "amount": 0.1}}"""
SUMS = """{"topic": "out", "key": "a", "value": {"sum":12345678901234567.89}, "timestamp": 0}
{"topic": "out", "key": "a", "value": {"sum":12345678901234567.99}, "timestamp": 0}"""


def sums() -> GraphBuilder:
    payments = GraphBuilder().stream("payments", struct(city=STRING, amount=decimal(20, 2)))
    payments.add("grouped", "group_by_key", stream="payments")
    functions = [{"name": "sum", "function": "sum", "expression": "amount"}]
    return payments.add("sums", "aggregate", {"functions": functions}, grouped="grouped").updates_to("out", "sums")


def ask(question: Question[Any]) -> Any:
    """The answer, and the question, as another process gets them."""
    sent = exact_json.loads(exact_json.dumps(question.to_json()))
    return exact_json.loads(exact_json.dumps(answer(read_question(sent))))


def test_a_test_case_of_decimals_gives_and_expects_all_digits():
    given = [list(each) for each in read_lines(RECORDS)]
    asked = AskCases(graph=sums().graph.to_json(), schemas={}, cases=[given])

    (case,) = exact_json.loads(
        exact_json.dumps(answer(read_question(exact_json.loads(exact_json.dumps(asked.to_json())))))
    )["cases"]

    assert write_lines(case["left"]) == SUMS
    assert find_first_difference(read_expected(SUMS), case["left"]) is None
    one_cent_less = read_expected(SUMS.replace(".99", ".98"))
    assert find_first_difference(one_cent_less, case["left"]).at == "value.sum"  # type: ignore[union-attr]


def test_a_trial_shows_all_digits():
    given = [list(each) for each in read_lines(RECORDS)]
    asked = AskOutput(graph=sums().graph.to_json(), schemas={}, node="sums", records=[], given=given)

    shown = ask(asked)["outputs"]["result"]["records"]

    assert [each["value"] for each in shown] == ['{"sum":12345678901234567.89}', '{"sum":12345678901234567.99}']
