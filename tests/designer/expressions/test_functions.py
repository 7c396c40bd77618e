"""Every function holds what its documentation says: the examples there are expressions that are true."""

from __future__ import annotations

import pytest

from designer.expressions import RecordError
from designer.expressions.functions import FUNCTIONS
from designer.expressions.functions.patterns import make_matcher
from tests.designer.expressions.sample import compute, refusal

EXAMPLES = [(name, example) for name, function in FUNCTIONS.items() for example in function.examples]


def test_every_function_has_one_line_of_help_and_an_example() -> None:
    bare = [name for name, function in FUNCTIONS.items() if not function.help or not function.examples]

    assert bare == []
    assert len(FUNCTIONS) >= 70


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_examples_are_true(name: str, example: str) -> None:
    assert compute(example) is True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("substring('abc', 0, 2)", "ab"),
        ("substring('abc', -5, 3)", "a"),
        ("substring('abc', 2, -1)", ""),
        ("right('abc', 0)", ""),
        ("split('', ',')", [""]),
        ("split('a,b,', ',')", ["a", "b", ""]),
        ("split('abc', '')", ["a", "b", "c"]),
        ("split('a1b22c', r'\\d+')", ["a", "b", "c"]),
        ("split('aXbXc', 'X', 2)", ["a", "bXc"]),
        ("split('a|b', '\\\\|')", ["a", "b"]),
        ("sequence(2, 2, 0)", [2]),
        ("lpad('abc', -1)", ""),
        ("lpad('abc', 5, '')", "abc"),
        ("rpad('abc', 7, 'xy')", "abcxyxy"),
        ("format_number(2.345, 2)", "2.35"),
        ("format_number(0.125, 2)", "0.12"),
        ("format_number(-1234.5, 0)", "-1,234"),
        ("format_number(CAST('Infinity' AS DOUBLE), 1)", "∞"),
        ("sequence(5, 1, -2)", [5, 3, 1]),
        ("array()", []),
        ("split_part('a.b', '.', 5)", ""),
        ("substring_index('a.b.c', '.', -2)", "b.c"),
        ("locate('a', 'banana', 0)", 0),
        ("regexp_extract('abc', '(z)')", ""),
        ("regexp_replace('éé', 'é', 'e')", "ee"),
        ("regexp_replace('aaa', '(a)', '[$1]')", "[a][a][a]"),
        ("regexp_extract('äb', '(b)')", "b"),
        ("'äb' LIKE '_b'", True),
        ("'100%' LIKE '100\\%'", True),
        ("'1000' LIKE '100\\%'", False),
        ("'a\nb' LIKE 'a%b'", True),
        ("'ABC' ILIKE '%b%'", True),
        ("'a.c' LIKE 'a.c' AND NOT 'abc' LIKE 'a.c'", True),
        ("'Bern' LIKE 'Bern' AND NOT 'Berne' LIKE 'Bern'", True),
        ("'Bern' LIKE 'Be%' AND NOT 'Bern' LIKE 'er%'", True),
        ("'Bern' LIKE '%rn' AND NOT 'Bern' LIKE '%er'", True),
        ("'Bern' LIKE '%er%' AND NOT 'Bern' LIKE '%re%'", True),
        ("'Bern' LIKE '%' AND '' LIKE '%' AND 'Bern' LIKE '%%'", True),
        ("'' LIKE '' AND NOT 'Bern' LIKE ''", True),
        ("'Bern' LIKE '%e%n' AND NOT 'Bern' LIKE '%n%e%'", True),
        ("'a\nb' LIKE 'a\nb' AND 'a\nb' LIKE '_\n%'", True),
        ("'A\nB' ILIKE 'a%b' AND NOT 'AB' LIKE 'a%'", True),
        ("regexp_substr('a1b', '[0-9]') || regexp_count('aaa', 'a')", "13"),
        ("get_json_object('{\"a b\": [[7, 8]]}', '$[\\'a b\\'][0][1]')", "8"),
        ("get_json_object('[7]', '$')", "[7]"),
        ("round(1.005, 2)", 1.01),
        ("round(-2.5)", -3.0),
        ("round(1e300, 400)", 1e300),
        ("round(5, -400)", 0),
        ("round(4000000000000000000, -19)", 0),
        ("round(15, -1)", 20),
        ("bround(15, -1)", 20),
        ("round(7, 5)", 7),
        ("round(-1234.5, -2)", -1200.0),
        ("round(5.0, -400)", 0.0),
        ("sin(CAST('Infinity' AS DOUBLE)) = 0", False),
        ("to_iso(-1)", "1969-12-31T23:59:59.999Z"),
        ("to_timestamp_ms('2013-01-01T00:00:00-0130')", 1356998400000 + 90 * 60_000),
        ("to_timestamp_ms('2013-01-01 00:00 +12:34')", 1356998400000 - (12 * 60 + 34) * 60_000),
        ("to_timestamp_ms(' 2013-01-01T00:00:07.123456789Z ')", 1356998407123),
        ("to_timestamp_ms('2013-01-01T23:59:59.5')", 1356998400000 + 86_399_500),
        ("to_timestamp_ms('2013-01-01 00:00:00-05')", 1356998400000 + 5 * 3_600_000),
        ("to_timestamp_ms('2013-01-01t00:00:00,25z')", 1356998400250),
        ("to_timestamp_ms('2013-01-01T00:00:00+00:19:32')", 1356998400000 - 1_172_000),
        ("try_to_timestamp_ms('2013-01-01T00:00:00+5')", None),
        ("try_to_timestamp_ms('2013-01-01T00:00:00+05:60')", None),
        ("try_to_timestamp_ms('2013-01-01T24:00')", None),
        ("try_to_timestamp_ms('2013-01-01T23:60')", None),
        ("try_to_timestamp_ms('2013-01-01T23:59:60')", None),
        ("date_format(1357016405007, 'dd.MM.yyyy, HH:mm:ss')", "01.01.2013, 05:00:05"),
        (r"date_format(7, 'SSS\'ms\'\'\'{0}')", "007ms'{0}"),
        ("date_format(0, 'mm}{ss')", "00}{00"),
        ("date_trunc('year', to_timestamp_ms('2013-07-04T01:02:03Z'))", 1356998400000),
        ("date_trunc('MONTH', 1357018245678)", 1356998400000),
        ("to_timestamp_ms('2024-02-29')", 1709164800000),
        ("try_to_timestamp_ms('2023-02-29')", None),
        ("to_json(array(1, NULL))", "[1,null]"),
        ("get_json_object('{\"a\":\"x\"}', '$.a')", "x"),
        ("get_json_object('{\"a\":[1,2]}', '$.a')", "[1,2]"),
        ("named_struct('a', 1, 'b', NULL)", {"a": 1, "b": None}),
        ("struct(dep_delay, address.city, 1)", {"dep_delay": 70, "city": "Bern", "col3": 1}),
        ("1 || 'a' || TRUE || 1.5", "1atrue1.5"),
        ("prices[upper('chf')]", 2.5),
        ("prices.EUR + prices['CHF']", 5.5),
        ("prices['USD']", None),
        ("prices[NULL]", None),
        ("address['ci' || 'ty']", "Bern"),
        ("map_put(prices, carrier, 1)", {"CHF": 2.5, "EUR": 3.0, "UA": 1.0}),
        ("map_put(map('a', 1), 'b', 1.5)", {"a": 1, "b": 1.5}),
        ("map_put(NULL, 'a', 1)", {"a": 1}),
        ("unix_micros(NULL)", None),
        ("size(NULL)", None),
        ("array_contains(NULL, 1)", None),
        ("map_values(NULL)", None),
        ("map('a', 1, 'b', 1.5)", {"a": 1.0, "b": 1.5}),
        ("map('a', 1, 'a', 2)", {"a": 2}),
        ("map_keys(address)", ["city", "zip"]),
        ("map_from_entries(headers)", {"trace": "t-1"}),
        ("map_concat(prices, map('CHF', 9))", {"CHF": 9, "EUR": 3.0}),
        ("parse_json('{\"a\": {\"b\": [1, 7]}}')[id || ''] IS NULL", True),
        ("parse_json('{\"f1\": [1, 7]}')[id][1]", 7),
        ("size(parse_json('{\"a\": 1}'))", 1),
    ],
)
def test_corners_are_spark_s(text: str, expected: object) -> None:
    assert compute(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("split_part('a', '.', 0)", "element_at(tags, 5)", "tags[2]", "tags[-1]", "slice(tags, 0, 1)"),
        *("to_timestamp_ms('soon')", "year(9223372036854775807)", "regexp_extract('a', 'a', 3)"),
        "regexp_replace('a', '(a)', '$2')",
        *(
            "map(address['n' || 'il'], 1)",
            "map_put(prices, address['n' || 'il'], 1)",
            "map_from_arrays(array('a'), array())",
        ),
        *("map_from_arrays(array(NULL), array(1))", "map_from_entries(array(1))", "size(parse_json('1'))"),
        *("parse_json('[1]')['a']", "parse_json('{}')[1]", "parse_json('{}')[parse_json('1.5')]"),
        *("round(9223372036854775807, -19)", "to_iso(999999999999999)", "ceil(1e300)"),
        *("sequence(1, 5, -1)", "sequence(1, 5, 0)", "sequence(1, 1000000)", "parse_json('{')"),
    ],
)
def test_what_has_no_answer_is_a_record_error(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        compute(text)

    assert caught.value.message.endswith(".")


@pytest.mark.parametrize("pattern", ["Bern", "Be%", "%rn", "%er%", "%", "", r"50\%", "%%"])
def test_a_like_that_needs_no_regular_expression_makes_none(pattern: str) -> None:
    assert not hasattr(make_matcher("LIKE", pattern), "__self__")
    assert hasattr(make_matcher("ILIKE", pattern), "__self__")


@pytest.mark.parametrize(
    "text",
    [
        *("id || id", "concat(id, id)", "replace(id, 'x', 'yy')", "regexp_replace(id, 'x', 'yy')"),
        *("concat_ws(id, 'a', 'b', 'c')", "array_join(array(id, id), ',')", "to_json(array(id, id))"),
    ],
)
def test_results_stay_below_a_mebibyte(text: str) -> None:
    with pytest.raises(RecordError, match="1,048,576"):
        compute(text, {"id": "x" * 700_000})


def test_all_matches_of_a_pattern_are_found_in_short_texts_only() -> None:
    with pytest.raises(RecordError, match="32,768"):
        compute("regexp_count(id, 'x*y|x')", {"id": "x" * 700_000})


@pytest.mark.parametrize(
    "text",
    [
        *("id RLIKE '('", "id RLIKE '(?=x)'", r"regexp_like(id, r'(a)\1')", "id RLIKE carrier", "id LIKE carrier"),
        *("id RLIKE '((a{1000}){1000}){1000}'", "date_trunc('fortnight', timestamp)", "get_json_object(id, 'a.b')"),
        *("date_format(timestamp, 'EEEE')", "regexp_replace(id, NULL, 'x')", r"id LIKE 'a\\b'"),
    ],
)
def test_patterns_units_paths_and_formats_are_checked_while_drawing(text: str) -> None:
    assert refusal(text).span is not None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("prices[1]", "A map's key must be a string, but `1` is an integer."),
        ("prices + 1", "`prices` is a map of double."),
        ("map('a')", "map needs a value after each key."),
        ("map(1, 2)", "A key of a map must be a string, but `1` is an integer."),
        ("map('a', 1, 'b', 'x')", "map must give one type"),
        ("map_put(prices, id, id)", "map_put must give one type"),
        ("map_keys(tags)", "is a map; `tags` is a list of string."),
        ("size(id)", "is a list or a map; `id` is a string."),
        ("amount['a' || 'b']", "only lists, maps and structs have items."),
        ("parse_json(id)[amount]", "An item's position must be an integer, but `amount` is a double."),
        ("address[1]", "A field's name must be a string, but `1` is an integer."),
    ],
)
def test_what_is_no_use_of_a_map_is_said(text: str, words: str) -> None:
    assert words in refusal(text).message


def test_a_map_is_never_changed_in_place() -> None:
    prices = {"CHF": 2.5}

    compute("map_remove(map_put(prices, 'EUR', 3.0), 'CHF')", {"prices": prices})

    assert prices == {"CHF": 2.5}
