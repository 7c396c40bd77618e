"""Asks real Spark what expressions over decimals give: `python -m tests.designer.expressions.spark_decimals`.

Writes `spark_decimals.json`, a list of `[expression, type, result]` as Spark writes them; the type is "error" where the
expression fails. It takes some minutes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path

FILE = Path(__file__).with_name("spark_decimals.json")
SIZES = [(1, 0), (3, 1), (4, 2), (5, 5), (10, 0), (10, 2), (18, 6), (20, 10), (38, 0), (38, 2), (38, 10), (38, 38)]
ARITHMETIC = ("+", "-", "*", "/", "%")
PLAIN = (
    *("-({x})", "abs({x})", "sign({x})", "ceil({x})", "floor({x})", "round({x})", "bround({x})"),
    *("round({x}, 1)", "round({x}, 7)", "round({x}, -1)", "bround({x}, 1)", "bround({x}, -2)", "round({x}, -40)"),
    *("CAST({x} AS BIGINT)", "CAST({x} AS DOUBLE)", "CAST({x} AS STRING)", "CAST({x} AS BOOLEAN)"),
    *("CAST({x} AS DECIMAL(5, 1))", "TRY_CAST({x} AS DECIMAL(3, 3))", "CAST({x} AS DECIMAL)", "{x} || ''"),
    *("{x} * 1.5BD", "{x} + 3", "{x} / 7", "{x} % 3", "{x} - CAST(3 AS BIGINT)", "{x} * CAST(12 AS BIGINT)"),
    *("{x} + 1e0", "{x} * 0.1", "{x} / 0.03", "{x} > 1.5", "{x} = 1", "{x} <> 1e0", "1000 - {x}", "{x} div 3"),
    *("{x} IN (1, 2.5, 9.99)", "{x} BETWEEN 0.5 AND 12", "{x} <=> NULL", "coalesce(NULL, {x}, 0)"),
    *("coalesce({x}, CAST(1 AS BIGINT))", "if({x} > 0, {x}, 0.005)", "CASE WHEN {x} < 0 THEN 0 ELSE {x} END"),
    *("CASE {x} WHEN 9.9 THEN 'a' ELSE 'b' END", "greatest({x}, 1.25BD)", "least({x}, 3000000000)"),
    *(
        "coalesce({x}, 1e0)",
        "sqrt(abs({x}))",
        "try_divide({x}, 0)",
        "{x} / 0",
        "{x} % 0",
        "to_json(named_struct('x', {x}))",
    ),
    *("pmod({x}, 7)", "format_number({x}, 3)", "isnan({x})", "typeof({x})", "pow({x}, 2)"),
)
PAIRS = (
    *("{x} = {y}", "{x} < {y}", "{x} div {y}", "pmod({x}, {y})", "try_divide({x}, {y})", "greatest({x}, {y})"),
    *("coalesce({x}, {y})", "if({x} >= {y}, {x}, {y})", "{x} * {y} + {x}", "({x} + {y}) / 3"),
)
CASTS = (
    *("CAST('12.345' AS DECIMAL(4, 2))", "CAST(' -0.005 ' AS DECIMAL(4, 2))", "CAST('1e3' AS DECIMAL(4, 0))"),
    *("CAST('x' AS DECIMAL(4, 2))", "TRY_CAST('x' AS DECIMAL(4, 2))", "CAST('100' AS DECIMAL(4, 2))"),
    *("CAST('' AS DECIMAL(4, 2))", "CAST('.5' AS DECIMAL(4, 2))", "CAST('5.' AS DECIMAL(4, 2))"),
    *("CAST(1.005e0 AS DECIMAL(10, 2))", "CAST(0.1e0 AS DECIMAL(38, 20))", "CAST(1e20 AS DECIMAL(10, 2))"),
    *("CAST(CAST('NaN' AS DOUBLE) AS DECIMAL(10, 2))", "TRY_CAST(1e300 AS DECIMAL(38, 0))"),
    *("CAST(CAST(12345 AS BIGINT) AS DECIMAL(5, 0))", "CAST(CAST(12345 AS BIGINT) AS DECIMAL(4, 0))"),
    *("CAST(TRUE AS DECIMAL(3, 2))", "CAST(123456789012345678901234567890BD AS BIGINT)", "TRY_CAST(1e30BD AS BIGINT)"),
    *("1.50BD", "-1.5BD", "0.05BD", "1e3BD", "1e-5BD", "0BD", "000.10BD", "1.5BD + 2", "1.5BD * 1.5", "0.1BD + 0.2BD"),
    *(
        "12345678901234567.89BD * 1",
        "99999999999999999999999999999999999999BD + 1",
        "1BD / 3",
        "2BD / 3",
        "1BD / 3BD * 3",
    ),
    *("0.1BD = 0.1", "0.1BD = 1e-1", "12345678901234567.89BD > 12345678901234567.88", "typeof(1.5BD + 1)"),
    *("CAST(1 AS DECIMAL(38, 10)) * CAST(1 AS DECIMAL(38, 10))", "-(0BD)", "0BD * -1"),
)


def expressions() -> Iterator[str]:
    """The same ones each time."""
    chance = random.Random(24)
    yield from CASTS
    for (precision, scale), form in product(SIZES, PLAIN):
        for number in chance.sample(numbers(chance, precision, scale), 2):
            yield form.format(x=written(number, precision, scale))
    for one, other in product(SIZES, repeat=2):
        for form in (*(f"{{x}} {op} {{y}}" for op in ARITHMETIC), chance.choice(PAIRS)):
            x, y = (written(chance.choice(numbers(chance, *size)), *size) for size in (one, other))
            yield form.format(x=x, y=y)


def numbers(chance: random.Random, precision: int, scale: int) -> list[int]:
    """Unscaled ones: the ends, and some between."""
    most = 10**precision - 1
    some = [chance.randrange(10 ** chance.randrange(1, precision + 1)) for _ in range(4)]
    return [most, -most, 1, *some, -some[0], -some[1], min(5 * 10 ** max(scale - 1, 0), most)]


def written(number: int, precision: int, scale: int) -> str:
    digits = str(abs(number)).rjust(scale + 1, "0")
    text = digits[: len(digits) - scale] + ("." + digits[len(digits) - scale :] if scale else "")
    return f"CAST('{'-' * (number < 0)}{text}' AS DECIMAL({precision}, {scale}))"


def main() -> None:
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    found: list[list[str | None]] = []
    for text in dict.fromkeys(expressions()):
        try:
            row = spark.sql(f"SELECT typeof({text}), CAST({text} AS STRING)").first()
            assert row is not None
            found.append([text, row[0], row[1]])
        except PySparkException:
            found.append([text, "error", None])
    FILE.write_text("[\n" + ",\n".join(json.dumps(each) for each in found) + "\n]\n")


if __name__ == "__main__":
    main()
