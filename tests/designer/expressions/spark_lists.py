"""Asks real Spark what functions of lists, maps and formats give: `python -m tests.designer.expressions.spark_lists`.

Writes `spark_lists.json`, a list of `[expression, JSON of the result]`; the JSON is null where the expression fails.
"""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).with_name("spark_lists.json")
NAN = "CAST('NaN' AS DOUBLE)"
INFINITY = "CAST('Infinity' AS DOUBLE)"
NO_LIST = "if(1 = 1, NULL, array(1))"
NO_NUMBER = "if(1 = 1, NULL, 1)"
SOME = (
    *("array(3, NULL, 1, 3)", "array(1)", "array(2, NULL)", NO_LIST, "filter(array(1), x -> FALSE)"),
    *(f"array({NAN}, 0e0, {NAN}, -0e0, NULL, NULL, 1.5e0)", f"array(1e0, {INFINITY}, {NAN})"),
    *("array('b', 'a', 'B', 'b')", "array(TRUE, FALSE, NULL)"),
)
OF_ONE = (
    *("sort_array({x})", "sort_array({x}, FALSE)", "array_sort({x})", "array_distinct({x})", "array_compact({x})"),
    *("array_min({x})", "array_max({x})", "array_append({x}, NULL)", "array_prepend({x}, NULL)", "size({x})"),
    *(
        "transform({x}, x -> x)",
        "transform({x}, (x, i) -> i)",
        "filter({x}, x -> x IS NULL)",
        "exists({x}, x -> x IS NULL)",
    ),
    *("filter({x}, (x, i) -> i > 0)", "forall({x}, x -> x IS NOT NULL)", "aggregate({x}, 0, (n, x) -> n + 1)"),
    *("flatten(array({x}, {x}))", "array_position({x}, element_at({x}, 1))", "array_contains({x}, element_at({x}, 1))"),
    "array_remove({x}, element_at({x}, 1))",
)
IN_REVERSE = "array_sort({x}, (a, b) -> CASE WHEN a < b THEN 1 WHEN a > b THEN -1 ELSE 0 END)"
OF_TWO = (
    *("concat({x}, {y})", "{x} || {y}", "array_union({x}, {y})", "array_intersect({x}, {y})", "array_except({x}, {y})"),
    *("arrays_overlap({x}, {y})", "zip_with({x}, {y}, (a, b) -> coalesce(a, b))"),
)
NUMBERS = SOME[:5]
DOUBLES = SOME[5:7]
MAPS = ("map('a', 1, 'b', NULL)", "map_from_entries(filter(array(named_struct('key', 'a', 'value', 1)), x -> FALSE))")
OF_MAP = (
    *(
        "map_filter({x}, (k, v) -> v > 0)",
        "map_filter({x}, (k, v) -> k <> 'a')",
        "transform_values({x}, (k, v) -> v + 1)",
    ),
    *("transform_values({x}, (k, v) -> k)", "transform_keys({x}, (k, v) -> upper(k))"),
)
LAMBDAS = (
    *("aggregate(array(1, 2, 3), 0, (a, x) -> a + x)", "reduce(array(1, NULL), 0, (a, x) -> a + x)"),
    *(
        "aggregate(array(1.5e0, 2e0), 0e0, (a, x) -> a + x, a -> a / 2)",
        f"aggregate(array(1, 2), {NO_NUMBER}, (a, x) -> coalesce(a, 0) + x)",
    ),
    *(
        "aggregate(array('a', 'b'), '', (a, x) -> concat(a, x))",
        "aggregate(array(1, 2), array(0), (a, x) -> array_append(a, x))",
    ),
    *(
        "aggregate(array(1, 2), named_struct('n', 0, 's', 0), "
        "(a, x) -> named_struct('n', a.n + 1, 's', a.s + x), a -> a.s / a.n)",
    ),
    *(
        "transform(array(array(1, 2)), x -> transform(x, y -> y + size(x)))",
        "transform(array(1, 2), x -> transform(array(x), x -> x * 10))",
    ),
    *(
        "transform(array(named_struct('n', 1)), x -> x.n + 1)",
        "filter(array(1, 2, 3), x -> NULL)",
        "filter(array(1, 2), x -> x / 0 > 1)",
    ),
    *(
        "exists(array(1, NULL), x -> x > 1)",
        "exists(array(1, 2, NULL), x -> x > 1)",
        "forall(array(1, NULL), x -> x > 0)",
    ),
    *(
        "forall(array(1, NULL), x -> x > 1)",
        "zip_with(array(1, 2), array('a'), (x, y) -> concat(CAST(x AS STRING), coalesce(y, '-')))",
    ),
    *(
        "array_sort(array('bb', 'a', 'ccc'), (x, y) -> length(x) - length(y))",
        f"array_sort(array(2, 1), (x, y) -> {NO_NUMBER})",
    ),
    *(
        "array_append(array(1, 2), 3)",
        "array_prepend(array(1, 2), 0)",
        "array_append(array(1, 2), 1.5e0)",
        "flatten(array(array(1), NULL))",
    ),
    *(
        "array_remove(array(1, 2), " + NO_NUMBER + ")",
        "array_repeat('a', 2)",
        "array_repeat('a', -1)",
        "array_repeat('a', " + NO_NUMBER + ")",
    ),
    *(
        "array_distinct(array(named_struct('a', 1), named_struct('a', 1), named_struct('a', 2)))",
        "array_distinct(array(array(1), array(1)))",
    ),
    *(
        "array_union(array(1), array(1.5e0))",
        "array_contains(array(1, NULL), 2)",
        "array_position(array(1, NULL), 2)",
    ),
)
FORMATS = (
    *(
        "format_string('%s %d %.2f %5d|%-5s|%05d %,d %x %X %e %b %%', "
        "'a', 3, 0.125e0, 42, 'ab', 42, 1234567, 255, 255, 12345.678e0, TRUE)",
    ),
    *(
        "format_string('%s %d %f %b %x', NULL, NULL, NULL, NULL, NULL)",
        "format_string('%.2f %.2f %.1f %.0f', 1.005e0, 0.125e0, 0.25e0, 2.5e0)",
    ),
    *(
        "format_string('%s %s %s %s', 1.0E10, 0.001e0, TRUE, 12345678e0)",
        "format_string('%2$s %1$s %s', 'a', 'b')",
        "format_string('%s')",
    ),
    *(
        "format_string('%s', 'a', 'b')",
        "format_string('%08.2f|%+d|%(d|% d|%(05d|%+05d', 3.14159e0, 5, -5, 5, -5, 5)",
        "printf('%s', 'a')",
    ),
    *(
        "format_string('%S %10s|%-10s|%.2s|%5.1s|%B', 'abc', 'x', 'y', 'xyz', 'xyz', FALSE)",
        "format_string('%d', 'x')",
        "format_string('%f', 1)",
    ),
    *(
        f"format_string('%f %e %+f %(f|%10.1f|%-10f|', {NAN}, {INFINITY}, {INFINITY}, -{INFINITY}, {INFINITY}, {NAN})",
        "format_string('%d', 1.5e0)",
    ),
    *(
        "format_string('%e %E %.0e %.3e %e', 0e0, 123456e0, 5e0, 9.9996e0, 1e-7)",
        "format_string('%#x %#o %o %08x', 255, 8, 8, 255)",
    ),
    *(
        "format_string('%,.2f %,d %,d %(,.1f %010d', 1234567.891e0, -1234567, 999, -1234.56e0, -42)",
        "format_string('%q', 'a')",
    ),
    *(
        "format_string('%-05d', 1)",
        "format_string('%-d', 1)",
        "format_string('%.2d', 1)",
        "format_string('%+ d', 1)",
        "format_string('100%')",
    ),
    *(
        "format_string('%s', CAST(1.50 AS DECIMAL(10, 2)))",
        "format_string('%5%|%n')",
        "format_string('%+s', 'a')",
        "format_string('')",
    ),
    *(
        "format_string('%f %.3f %.1f', 1e-9, 123456789.9995e0, 0.05e0)",
        "format_string('%d %d', 9223372036854775807, -9223372036854775808)",
    ),
    *(
        "format_string('%c%c', 65, 128512)",
        "format_string('%5c|%-5c|%5b', 65, 66, TRUE)",
        "format_string('%.20f %.1f', 0.1e0, 1e22)",
    ),
)


def expressions() -> list[str]:
    found = [*LAMBDAS, *FORMATS]
    found += [form.format(x=some) for some in SOME for form in OF_ONE]
    found += [IN_REVERSE.format(x=some) for some in SOME if some not in DOUBLES]  # here `<` of NaN is false, as in Java
    found += [form.format(x=some) for some in MAPS for form in OF_MAP]
    for group in (NUMBERS, DOUBLES):
        found += [form.format(x=one, y=other) for one in group for other in group for form in OF_TWO]
    return list(dict.fromkeys(found))


CHUNK = 24


def main() -> None:
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")

    def ask(texts: list[str]) -> list[str | None]:
        """What Spark answers: all at once, or one by one if one of them fails."""
        options = "map('ignoreNullFields', 'false')"
        columns = [f"to_json(named_struct('r', {text}), {options}) AS c{place}" for place, text in enumerate(texts)]
        try:
            row = spark.sql(f"SELECT {', '.join(columns)}").first()
        except (PySparkException, Py4JJavaError):
            return [None] if len(texts) == 1 else [answer for text in texts for answer in ask([text])]
        assert row is not None
        return list(row)

    asked = expressions()
    answers = [answer for at in range(0, len(asked), CHUNK) for answer in ask(asked[at : at + CHUNK])]
    found = [json.dumps(pair) for pair in zip(asked, answers, strict=True)]
    FILE.write_text("[\n" + ",\n".join(found) + "\n]\n")


if __name__ == "__main__":
    main()
