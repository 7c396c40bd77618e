"""What the check finds: the type of each form, and the place of each part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal

import pytest

from designer.expressions import check
from designer.expressions import tree as t
from designer.expressions.types import describe
from designer.topology.catalogue import Scope
from designer.values.schemas import ANY, BYTES, DOUBLE, INTEGER, STRING, Field, Kind, Type, decimal, struct
from tests.designer.expressions.sample import SCOPE

UNION = Type(Kind.UNION, fields=(Field("int", INTEGER), Field("Place", struct(city=STRING))))
MORE = {"any": ANY, "price": decimal(10, 2), "raw": BYTES, "of": UNION}
MORE |= {"at": Type(Kind.INTEGER, logical="timestamp-micros")}
NAMES = Scope({**SCOPE.names, **MORE}, spread="value")
GIVES = {
    "integer": """
        1; -dep_delay; dep_delay + 1; dep_delay % 2; dep_delay DIV 2; price DIV 2; any DIV 2; mod(5, 2);
        CASE WHEN late THEN 1 END; CASE WHEN late THEN NULL ELSE 1 END; CAST(any AS BIGINT); CAST(1 AS BIGINT);
        coalesce(NULL, 1); nullif(1, 2); size(tags); size(any); size(prices); size(address); abs(dep_delay);
        abs(NULL); ceil(amount); pmod(5, 3); length(carrier); year(at); unix_micros(at); unix_millis(at);
        unix_micros(1); timestamp_seconds(1); to_timestamp_ms('x'); array_min(array(1, 2));
        union_extract(of, 'int'); greatest(1, NULL); array(1, 2)[0]; map('a', 1).a; nvl(NULL, 1);
        nvl2(late, 1, 2); element_at(array(1), 1); octet_length(carrier)""",
    "double": """
        1.5; -amount; dep_delay + amount; dep_delay / 2; amount * 2; any + amount; any / 2; any / any;
        price / 1.5e0; price + amount; mod(5.0, 2); CASE WHEN late THEN 1 ELSE 1.5 END;
        coalesce(dep_delay, amount); prices.x; prices['x']; greatest(1, 2.5); abs(amount); round(amount);
        sign(dep_delay); pow(2, 3); try_divide(1, 2); coalesce(price, amount);
        element_at(map_values(prices), 1); sqrt(price); pow(price, 2); TRY_CAST('1' AS DOUBLE)""",
    "decimal(2,1)": "1.5BD; +1.5BD; CAST(1 AS DECIMAL(2, 1)); abs(-1.5BD)",
    "decimal(10,2)": "price; -price; abs(price); coalesce(price, 1.5); coalesce(price, NULL); nullif(price, price)",
    "decimal(11,2)": "price + 1; price - price; round(price, 2); round(price, 5)",
    "decimal(12,2)": "price * 2; CASE WHEN late THEN price ELSE 1 END; greatest(price, 1)",
    "decimal(14,6)": "price / 3; try_divide(price, 3)",
    "decimal(3,2)": "price % 2; pmod(price, 3); mod(price, 2)",
    "decimal(9,0)": "floor(price); ceil(price); round(price); round(price, -3)",
    "decimal(11,0)": "round(price, -10)",
    "decimal(10,1)": "round(price, 1); bround(price, 1)",
    "string": """
        'a'; carrier; key; value.id; address.city; tags[0]; carrier || 1; 1 || 2; any || any; concat(1, 'a');
        CAST(1 AS STRING); CASE dep_delay WHEN 1 THEN 'a' ELSE 'b' END; least('a', NULL); element_at(tags, 1);
        array_join(tags, ','); get_json_object(carrier, '$.a'); to_json(address); upper(any); hex(raw);
        hex(carrier); hex(any); typeof(1); typeof(price); union_tag(of); union_tag(any); headers[0].key;
        if(late, 'a', NULL); regexp_extract(carrier, 'a', 1); union_extract(of, 'Place').city; array('a')[0];
        map_keys(prices)[0]""",
    "boolean": """
        TRUE; late; dep_delay = 1; carrier <> 'a'; any < 1; dep_delay <=> NULL; late AND late; late OR any;
        NOT late; NOT any; dep_delay IS NULL; any IS NOT NULL; late IS TRUE; any IS FALSE; dep_delay IN (1);
        any IN (1, 'a'); price IN (1, 2.5); dep_delay BETWEEN 1 AND 2; any BETWEEN 1 AND any; carrier LIKE 'a';
        carrier NOT LIKE 'a'; carrier ILIKE 'a'; carrier RLIKE 'a'; isnull(1); isnotnull(1);
        equal_null(1, NULL); array_contains(tags, 'a'); isnan(amount); contains(carrier, 'a');
        dep_delay IS DISTINCT FROM 1; dep_delay IS NOT DISTINCT FROM 1""",
    "bytes": "raw; CAST(carrier AS BINARY); CAST(any AS BINARY); unhex('00'); coalesce(raw, NULL)",
    "list of integer": "array(1, 2); array(1, NULL); sequence(1, 2); if(late, array(1), NULL); slice(array(1), 1, 1)",
    "list of double": "array(1, 1.5); map_values(prices)",
    "list of string": "tags; split(carrier, ','); java_split(carrier, ','); map_keys(prices); slice(tags, 1, 1)",
    "list of decimal(12,2)": "array(price, 1)",
    "list": "array(); array(NULL); array(1, any); map_entries(prices); map_values(address)",
    "list of struct": "headers; array(address)",
    "map of integer": "map('a', 1); map_from_arrays(tags, array(1, 2))",
    "map of double": "prices; map('a', 1, 'b', 1.5); map_put(prices, 'a', 1); map_concat(prices, prices)",
    "map": "map(); map('a', any); map_from_entries(any)",
    "struct": "value; address; named_struct('a', 1); struct(carrier, 1); union_extract(of, 'Place')",
    "integer (timestamp-micros)": "at; coalesce(at, NULL); greatest(at, at)",
    "union of int, Place": "of",
    "union of int": "union_value('int', 1)",
    "value of unknown type": """
        NULL; any; any.x; any[0]; any['x']; any[any]; -any; any + 1; any - any; any % 2; any + price;
        dep_delay + NULL; NULL + NULL; CASE WHEN late THEN 1 ELSE any END; CASE WHEN late THEN NULL END;
        abs(any); greatest(any, 1); element_at(any, 1); parse_json(carrier); union_extract(any, 'x');
        nullif(any, 1); array()[0]; map_values(address)[0]; any.x.y""",
}
EXPRESSIONS = [(text.strip(), given) for given, texts in GIVES.items() for text in texts.split(";")]


@pytest.mark.parametrize(("text", "given"), EXPRESSIONS)
def test_a_form_gives_its_type(text: str, given: str) -> None:
    assert describe(check(text, NAMES).type) == given


@pytest.mark.parametrize("text", [text for text, _ in EXPRESSIONS])
def test_each_part_stands_within_what_it_is_a_part_of_and_has_a_type(text: str) -> None:
    for part, whole in parts(check(text, NAMES).tree, (0, len(text))):
        assert whole[0] <= part.span[0] < part.span[1] <= whole[1], part
        assert isinstance(part.type, Type), part


def parts(tree: t.Tree, around: tuple[int, int]) -> Iterator[tuple[t.Tree, tuple[int, int]]]:
    """Each node of a tree, with the place of the one around it."""
    yield tree, around
    for field in fields(tree):
        for each in flat(getattr(tree, field.name)):
            yield from parts(each, tree.span)


def flat(value: object) -> Iterator[t.Tree]:
    if isinstance(value, t.Tree):
        yield value
    elif isinstance(value, tuple):
        for each in value:
            yield from flat(each)


@pytest.mark.parametrize(
    ("text", "returns", "found"),
    [
        ("1", DOUBLE, t.Literal(1.0, type=DOUBLE)),
        ("NULL", STRING, t.Literal(None, type=STRING)),
        ("1", decimal(5, 2), t.Literal(Decimal("1.00"), type=decimal(5, 2))),
        ("any", INTEGER, t.Convert(t.ScopeRole("any", type=ANY), "integer", type=INTEGER)),
        ("any", decimal(5, 2), t.Convert(t.ScopeRole("any", type=ANY), "decimal", type=decimal(5, 2))),
        ("timestamp", DOUBLE, t.Convert(t.ScopeRole("timestamp", type=INTEGER), "double", type=DOUBLE)),
        ("timestamp", ANY, t.ScopeRole("timestamp", type=INTEGER)),
        ("price", DOUBLE, t.Convert(t.ScopeRole("price", type=decimal(10, 2)), "double", type=DOUBLE)),
        ("price", decimal(12, 2), t.ScopeRole("price", type=decimal(10, 2))),
        ("price", decimal(9, 2), t.Convert(t.ScopeRole("price", type=decimal(10, 2)), "decimal", type=decimal(9, 2))),
        ("price", decimal(12, 3), t.Convert(t.ScopeRole("price", type=decimal(10, 2)), "decimal", type=decimal(12, 3))),
    ],
)
def test_what_nobody_wrote_is_converted_to_what_is_wanted(text: str, returns: Type, found: t.Tree) -> None:
    assert check(text, NAMES, returns).tree == found
    assert check(text, NAMES, returns).type == found.type
