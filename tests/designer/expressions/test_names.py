"""Names: roles first, then the fields of the spread role; a wrong one is told with what there is and the closest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from designer.expressions import RecordError, check, compile_expression
from designer.topology.catalogue import Scope
from designer.values.schemas import ANY, BOOLEAN, INTEGER, STRING, struct
from designer.values.tuples import Windowed
from tests.designer.expressions.sample import RECORD, ROLES, SCOPE, UNKNOWN, compute, refusal, told

ORDERS = Scope({"key": STRING, "value": struct(id=STRING, amount=INTEGER, placed_at=INTEGER)}, spread="value")
WINDOWED = Scope(
    {"key": STRING, "value": struct(n=INTEGER), "window": struct(start=INTEGER, end=INTEGER), "timestamp": INTEGER},
    spread="value",
    is_windowed=True,
)


def test_an_unknown_field_is_told_with_the_fields_there_are_and_the_closest_of_them() -> None:
    text = "amout > 10 AND id = 'amout'"

    error = refusal(text, ORDERS)

    assert error.message == (
        "Field `amout` is not in value, which has `id`, `amount`, `placed_at`. Did you mean `amount`?"
    )
    assert error.span is not None
    assert text[slice(*error.span)] == "amout"
    assert error.fix is not None
    assert error.fix.replacement == "amount > 10 AND id = 'amout'"


def test_an_unknown_field_of_a_struct_inside_is_told_likewise() -> None:
    error = refusal("address.citi = 'Bern'")

    assert error.message.startswith("Field `citi` is not in address, which has `city`, `zip`.")
    assert error.fix is not None
    assert error.fix.replacement == "address.city = 'Bern'"


def test_names_know_capital_from_small_letters_and_the_fix_knows_that() -> None:
    error = refusal("AMOUNT > 1", ORDERS)

    assert error.fix is not None
    assert error.fix.replacement == "amount > 1"


def test_many_fields_are_not_all_listed() -> None:
    wide = Scope({"value": struct(**{f"field{i}": INTEGER for i in range(40)})}, spread="value")

    assert refusal("x", wide).message.endswith("`field11` and 28 more.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("key", "k"),
        ("timestamp", 1_000),
        ("value.timestamp", "noon"),
        ("value['timestamp']", "noon"),
        ("value.end", 9),
        ("`end`", 9),
        ("value['address']['city']", "Bern"),
        ("address.`zip`", 3000),
        ("headers[0].key || headers[0].value", "tracet-1"),
        ("value", RECORD),
        ("tags[1]", "b"),
    ],
)
def test_roles_hide_fields_which_are_then_reached_through_value(text: str, expected: Any) -> None:
    assert compute(text) == expected


def test_joins_name_both_sides() -> None:
    scope = Scope({"key": STRING, "left": struct(a=INTEGER), "right": struct(b=INTEGER)})
    run = compile_expression(check("left.a + right.b", scope), ("key", "left", "right"), node="n", field="f")

    assert run("k", {"a": 1}, {"b": 2}) == 3
    assert run("k", {"a": 1}, None) is None


def test_a_windowed_key_gives_its_key_and_its_window() -> None:
    checked = check("concat_ws(' ', key, window.start, window.end, n)", WINDOWED)
    run = compile_expression(checked, ("key", "value", "timestamp"), node="n", field="f")

    assert run(Windowed("JFK", 0, 3_600_000), {"n": 5}, 10) == "JFK 0 3600000 5"


def test_the_whole_window_is_a_struct() -> None:
    run = compile_expression(check("window", WINDOWED), ("key", "value", "timestamp"), node="n", field="f")

    assert run(Windowed("JFK", 1, 2), {}, 10) == {"start": 1, "end": 2}


def test_without_windows_the_name_window_is_explained() -> None:
    assert "not windowed" in refusal("window.start").message


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("dep_delay > 60", {"dep_delay": 61}, True),
        ("dep_delay > 60", {}, None),
        ("dep_delay > 60", None, None),
        ("a.b.c", {"a": {"b": {"c": 1}}}, 1),
        ("a[1]", {"a": [1, 2]}, 2),
        ("a['b']", {"a": {"b": 3}}, 3),
        ("dep_delay + 1", {"dep_delay": 1.5}, 2.5),
        ("upper(name)", {"name": "x"}, "X"),
        ("late AND TRUE", {"late": True}, True),
        ("x IN (1, 2)", {"x": 2}, True),
        ("x = 'a'", {"x": "a"}, True),
        ("x BETWEEN 1 AND 3", {"x": 2.0}, True),
        ("coalesce(x, 'none')", {}, "none"),
        ("CAST(x AS STRING)", {"x": 5}, "5"),
        ("CAST(x AS BIGINT)", {"x": 5}, 5),
        ("x || '-'", {"x": 1.0}, "1.0-"),
        ("round(x, 1)", {"x": 1.25}, 1.3),
        ("size(x)", {"x": [1]}, 1),
        ("CASE x WHEN 1 THEN 'one' END", {"x": 1}, "one"),
        ("key", {}, "k"),
    ],
)
def test_where_nothing_is_known_names_are_looked_up_at_run_time(text: str, value: Any, expected: Any) -> None:
    assert compute(text, value, scope=UNKNOWN) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("dep_delay > 60", {"dep_delay": "61"}),
        ("dep_delay > 60", ["no struct"]),
        ("dep_delay > 60", "text"),
        ("a.b", {"a": 5}),
        ("a[0]", {"a": {"b": 1}}),
        ("a + 1", {"a": "x"}),
        ("a + 1", {"a": True}),
        ("-a", {"a": "x"}),
        ("upper(a)", {"a": 5}),
        ("a AND TRUE", {"a": 1}),
        ("a = 1", {"a": True}),
        ("a IN (1, 2)", {"a": "1"}),
        ("a BETWEEN 1 AND 2", {"a": "1"}),
        ("a = b", {"a": {}, "b": {}}),
        ("a + 1", {"a": 2**63 - 1}),
        ("a || ''", {"a": {}}),
        ("size(a)", {"a": "xx"}),
    ],
)
def test_where_nothing_is_known_the_wrong_type_is_a_record_error(text: str, value: Any) -> None:
    with pytest.raises(RecordError) as caught:
        compute(text, value, scope=UNKNOWN)

    assert caught.value.node == "late"


def test_a_record_that_is_not_what_was_declared_is_a_record_error_too() -> None:
    for value in ({"dep_delay": "61"}, "text", 5, {"dep_delay": [1]}):
        with pytest.raises(RecordError):
            compute("dep_delay > 60", value)


def test_a_predicate_of_unknown_type_is_looked_at_when_it_runs() -> None:
    checked = check("late", UNKNOWN, returns=BOOLEAN)
    run = compile_expression(checked, ("key", "value", "timestamp"), node="n", field="f")

    assert (run("k", {"late": True}, 0), run("k", {}, 0)) == (True, None)
    with pytest.raises(RecordError):
        run("k", {"late": 1}, 0)


def test_headers_are_asked_for_once_a_record_and_only_if_used() -> None:
    asked: list[int] = []

    def headers() -> list[dict[str, str]]:
        asked.append(1)
        return [{"key": "a", "value": "b"}]

    def compiled(text: str) -> Callable[..., Any]:
        return compile_expression(check(text, UNKNOWN), ROLES, node="n", field="f", headers=headers)

    compiled("timestamp")("k", {}, 1)
    assert asked == []
    assert compiled("headers[0].key || headers[0].value")("k", {}, 1) == "ab"
    assert asked == [1]


BARE = Scope({"agg": ANY, "value": struct(n=INTEGER)})
ODD = Scope({"key": STRING, "value": struct(**{"odd`name": INTEGER, "k": INTEGER})}, spread="value")
WIDE = Scope({"value": struct(**{f"f{number}": INTEGER for number in range(70)}, amount=INTEGER)}, spread="value")
LONG = "x" * 70


@pytest.mark.parametrize(
    ("text", "scope", "lines"),
    [
        ("«n»", BARE, ["`n` is not known here. Known: `agg`, `value`."]),
        (
            "«agg1» > 1",
            BARE,
            ["`agg1` is not known here. Known: `agg`, `value`. Did you mean `agg`?", "[Use `agg`] agg > 1"],
        ),
        (
            "«Value»",
            BARE,
            ["`Value` is not known here. Known: `agg`, `value`. Did you mean `value`?", "[Use `value`] value"],
        ),
        (f"«{LONG}»", BARE, [f"`{LONG[:60]}` is not known here. Known: `agg`, `value`."]),
        ("«`now`»", BARE, ["`now` is not known here. Known: `agg`, `value`."]),
        ("«x»", Scope({}), ["`x` is not known here, because there is no record here."]),
        ("«x»", Scope({"value": struct()}, spread="value"), ["`x` is not known here. Known: `value`."]),
        ("«__x__»", UNKNOWN, ["`__x__` is not known here. Known: `key`, `value`, `timestamp`, `headers`."]),
        ("«__x»", BARE, ["`__x` is not known here. Known: `agg`, `value`."]),
    ],
)
def test_a_name_that_is_not_known_is_told_with_those_there_are(text: str, scope: Scope, lines: list[str]) -> None:
    message, *click = lines
    said = "\n  ".join([text, message, "Use one of these names. Put a text in single quotes.", *click])

    assert told(text.replace("«", "").replace("»", ""), scope) == said


@pytest.mark.parametrize(
    ("text", "scope", "message", "click"),
    [
        (f"«{LONG}»", ODD, f"Field `{LONG[:60]}` is not in value, which has `odd`name`, `k`.", None),
        (
            "value.«K»",
            ODD,
            "Field `K` is not in value, which has `odd`name`, `k`. Did you mean `k`?",
            "[Use `k`] value.k",
        ),
        ("«ke»", ODD, "Field `ke` is not in value, which has `odd`name`, `k`. Did you mean `key`?", "[Use `key`] key"),
        (
            "«oddname» = 1",
            ODD,
            "Field `oddname` is not in value, which has `odd`name`, `k`. Did you mean `odd`name`?",
            "[Use `odd``name`] `odd``name` = 1",
        ),
        (
            "«amout»",
            WIDE,
            "Field `amout` is not in value, which has `f0`, `f1`, `f2`, `f3`, `f4`, `f5`, `f6`, `f7`, `f8`, `f9`, "
            "`f10`, `f11` and 59 more. Did you mean `amount`?",
            "[Use `amount`] amount",
        ),
    ],
)
def test_a_field_that_is_not_there_is_told_with_the_closest(
    text: str, scope: Scope, message: str, click: str | None
) -> None:
    lines = [text, message, "Use one of these fields. Put a text in single quotes.", *([click] if click else [])]

    assert told(text.replace("«", "").replace("»", ""), scope) == "\n  ".join(lines)


@pytest.mark.parametrize(
    ("text", "scope", "said"),
    [
        (
            "now",
            UNKNOWN,
            "«now»\n  An expression cannot read the clock.\n"
            "  Use `timestamp`, the time of the record in ms. Put a field of that name in backquotes.\n"
            "  [Use `timestamp`] timestamp",
        ),
        ("now", BARE, "«now»\n  An expression cannot read the clock.\n  Put a field of that name in backquotes."),
        ("nil", UNKNOWN, "«nil»\n  Write NULL here, not `nil`.\n  Write `NULL`.\n  [Use `NULL`] NULL"),
        ("window.start", BARE, "«window».start\n  The key is not windowed here.\n  Window the groups first."),
        (
            "value.__x__",
            UNKNOWN,
            "value.«__x__»\n  `value` is a value of unknown type; it has no field `__x__`.\n"
            "  Only structs have fields.",
        ),
        (
            f"NULL.{LONG}",
            UNKNOWN,
            f"NULL.«{LONG}»\n  `NULL` is a value of unknown type; it has no field `{LONG[:60]}`.\n"
            "  Only structs have fields.",
        ),
        (
            '"agg" = "it\'s\\" ',
            BARE,
            '«"agg"» = "it\'s\\" \n  Double quotes cannot enclose a text or a name here.\n'
            "  Put a text in single quotes, and an unusual name in backquotes.\n"
            '  [Use `agg`] agg = "it\'s\\" ',
        ),
        (
            '"it\'s\\"',
            BARE,
            '«"it\'s\\"»\n  Double quotes cannot enclose a text or a name here.\n'
            "  Put a text in single quotes, and an unusual name in backquotes.\n"
            "  [Use 'it\\'s\\\\'] 'it\\'s\\\\'",
        ),
    ],
)
def test_a_name_that_may_not_stand_there_is_told_why(text: str, scope: Scope, said: str) -> None:
    assert told(text, scope) == said


def test_names_that_a_part_of_the_record_hides_are_told() -> None:
    assert check("key || timestamp || id", SCOPE).shadowed_names == ("timestamp",)
    assert check("value.timestamp || carrier", SCOPE).shadowed_names == ()
