"""What no node changed leaves as the bytes it came in; what one changed keeps the digits of all it did not touch."""

import math
from struct import pack

import pytest

from designer.values.schemas import ANY, DOUBLE, STRING, struct
from tests.runner.graph_builder import GraphBuilder

ORDER = struct(id=STRING, amount=DOUBLE)
AS_IT_CAME = b'{ "amount": 14.7600, "id":"\\u0078", "n": 23958446825181076828, "d": 0.99999999999999999, "m": null}'
WAS = {"fields": [{"name": "was", "expression": "value"}]}
DIGITS = (b"23958446825181076828", b"-9223372036854775809", b"14.7600", b"0.99999999999999999", b"1e400", b"1E5", b"7")


def passing(builder: GraphBuilder) -> GraphBuilder:
    """Through every node that changes no value."""
    return (
        builder.add("kept", "filter", {"predicate": "value.id = 'x'"}, records="in")
        .add("shown", "peek", {"message": "key"}, stream="kept")
        .add("parts", "split", {"branches": [{"name": "all", "predicate": "true"}]}, stream="shown")
        .add("again", "merge", streams=("parts:all",))
    )


@pytest.mark.parametrize("value", [ORDER, ANY], ids=["declared", "any"])
def test_what_no_node_changes_leaves_as_it_came(value):
    driver = passing(GraphBuilder().stream("in", value)).to("out", "again").driver()

    driver.pipe_bytes("in", b"k", AS_IT_CAME)

    assert [(row[1], row[2]) for _, row in driver.rows()] == [(b"k", AS_IT_CAME)]


def test_a_new_key_leaves_the_value_as_it_came():
    builder = GraphBuilder().stream("in", ORDER).add("keyed", "select_key", {"key": "value.id"}, stream="in")
    driver = builder.to("out", "keyed").driver()

    driver.pipe_bytes("in", b"k", AS_IT_CAME)

    assert [(row[1], row[2]) for _, row in driver.rows()] == [(b"x", AS_IT_CAME)]


def test_keys_leave_as_they_came():
    driver = GraphBuilder().stream("in", ORDER, key=struct(a=DOUBLE)).to("out", "in").driver()

    driver.pipe_bytes("in", b'{"a": 1.50}', b'{"id": "x"}')

    assert [(row[1], row[2]) for _, row in driver.rows()] == [(b'{"a": 1.50}', b'{"id": "x"}')]


def test_another_format_is_written_anew():
    driver = GraphBuilder().stream("in", STRING, value_format="json").to("out", "in", value_format="string").driver()

    driver.pipe_bytes("in", b"k", b' "x" ')

    assert [row[2] for _, row in driver.rows()] == [b"x"]


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("one_life", [True, False])
def test_rows_of_a_table_leave_as_they_came(cache, one_life):
    builder = GraphBuilder().table("in", ORDER).updates_to("out", "in")
    driver = builder.driver(cache=cache, is_one_life=one_life)

    with driver.batch():
        driver.pipe_bytes("in", b"a", b'{"id": "1", "amount": 1.50}')
        driver.pipe_bytes("in", b"b", AS_IT_CAME)
        driver.pipe_bytes("in", b"c", b'{"id": "3", "amount": 3.50}')

    assert [row[2] for _, row in driver.rows()] == [
        b'{"id": "1", "amount": 1.50}',
        AS_IT_CAME,
        b'{"id": "3", "amount": 3.50}',
    ]


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("value", [struct(id=STRING), struct(id=STRING, n=ANY), ANY], ids=["undeclared", "any", "all"])
def test_a_changed_value_keeps_the_digits_of_the_rest(value, digits):
    builder = GraphBuilder().stream("in", value).add("new", "map_values", WAS, records="in")
    driver = builder.to("out", "new").driver()

    driver.pipe_bytes("in", b"k", b'{"id": "x", "n": [' + digits + b"]}")

    assert [row[2] for _, row in driver.rows()] == [b'{"was":{"id":"x","n":[' + digits + b"]}}"]


@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("value", [struct(id=STRING), struct(id=STRING, amount=DOUBLE), ANY])
def test_digits_come_through_shuffles_and_stores(value, digits):
    builder = GraphBuilder().stream("in", value).add("keyed", "select_key", {"key": "value.id"}, stream="in")
    builder.add("grouped", "group_by_key", stream="keyed")
    builder.add("last", "reduce", {"add": "value"}, grouped="grouped").updates_to("out", "last")
    driver = builder.driver(is_one_life=False, cache=True)

    driver.pipe_bytes("in", None, b'{"id": "x", "n": ' + digits + b', "amount": 1.5}')

    assert [row[2] for _, row in driver.rows()] == [b'{"id":"x","n":' + digits + b',"amount":1.5}']


@pytest.mark.parametrize(
    ("digits", "message"),
    [(b"1e400", "too large"), (b"1" + b"0" * 400, "too large"), (b"1" + b"0" * 5_000, "5,001 digits")],
)
def test_what_a_declared_double_cannot_hold_is_a_dead_letter(digits, message):
    driver = GraphBuilder().stream("in", ORDER).to("out", "in").driver()

    driver.pipe_bytes("in", b"k", b'{"id": "x", "amount": ' + digits + b"}")

    (letter,) = driver.dead_letters()
    assert message in str(dict(letter.headers))


def test_keys_of_one_number_are_one_key_as_with_jackson():
    builder = (
        GraphBuilder()
        .stream("in", ANY)
        .add("grouped", "group_by", {"key": "value.n", "key_format": "json"}, records="in")
    )
    driver = builder.add("counts", "count", grouped="grouped").updates_to("out", "counts").driver()

    for digits in (
        b"14.76",
        b"14.7600",
        b"0.99999999999999999",
        b"1.0",
        b"1",
        b"23958446825181076828",
        b"1e0",
        b"0.0",
        b"-0.0",
    ):
        driver.pipe_bytes("in", None, b'{"n": ' + digits + b"}")

    assert [(row[1], int.from_bytes(row[2] or b"")) for _, row in driver.rows()] == [
        (b"14.76", 1),
        (b"14.76", 2),
        (b"0.99999999999999999", 1),
        (b"1.0", 1),
        (b"1", 1),
        (b"23958446825181076828", 1),
        (b"1.0", 2),
        (b"0.0", 1),
        (b"-0.0", 1),
    ]


@pytest.mark.parametrize(
    ("digits", "shortest"),
    [(b"14.7600", b"14.76"), (b"1e0", b"1.0"), (b"1E400", b"1E+400"), (b"-0.0", b"-0.0")]
    + [(digits, digits) for digits in (b"0.99999999999999999", b"23958446825181076828", b"7")],
)
def test_keys_keep_their_number_and_values_their_digits_after_a_shuffle(digits, shortest):
    builder = GraphBuilder().stream("in", ANY, key=struct(n=ANY)).add("again", "repartition", {}, stream="in")
    driver = builder.to("out", "again").driver()

    driver.pipe_bytes("in", b'{"n": %b}' % digits, b'{"n": %b}' % digits)

    assert [(row[1], row[2]) for _, row in driver.rows()] == [(b'{"n":%b}' % shortest, b'{"n":%b}' % digits)]


@pytest.mark.parametrize("kept", [b'{"id":"x","note":null}', b'{"id":"x"}', b'{"id":"x","note":""}'])
def test_null_missing_and_empty_stay_apart(kept):
    config = {"fields": [{"name": "n", "expression": "1"}], "keep": True}
    builder = GraphBuilder().stream("in", struct(id=STRING, note=STRING)).add("new", "map_values", config, records="in")
    driver = builder.to("out", "new").to("raw", "in").driver()

    driver.pipe_bytes("in", b"k", kept)

    assert {topic: row[2] for topic, row in driver.rows()} == {"out": kept[:-1] + b',"n":1}', "raw": kept}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_what_json_has_no_number_for_passes_as_a_double_and_is_a_dead_letter_as_json(number):
    builder = GraphBuilder().stream("in", DOUBLE, value_format="double").to("same", "in")
    builder.add("new", "map_values", {"value": "value * 2"}, records="in").to("doubles", "new")
    driver = builder.to("out", "in", value_format="json").driver()

    driver.pipe_bytes("in", b"k", double(number))

    (letter,) = driver.dead_letters()
    assert {topic: row[2] for topic, row in driver.rows()} == {
        "same": double(number),
        "doubles": double(number * 2),
    }
    assert b"infinite or not a number" in (dict(letter.headers)["__streams.errors.message"] or b"")


def double(number: float) -> bytes:
    return pack(">d", number)
