"""Decimals in the kernel: the digits that the Python engine gives, or the record goes to it."""

from __future__ import annotations

import orjson
import pytest

from designer.values.schemas import decimal, struct
from tests.runner.engine.kernel.test_equality import compare_engines, fields
from tests.runner.graph_builder import GraphBuilder
from tests.runner.kernel_driver import KernelDriver

ORDER = struct(price=decimal(10, 2), rate=decimal(38, 9))
PRICES = ["1.50", "0", "-0.01", "99999999.99", "12", "null", "0.5"]
WIDE = ["0.000000001", "-99999999999999999999999999999.999999", "3", "null", "12345.678", "0"]
WRONG = ["1.001", '"1.50"', "-0", "1e2", "100000000", "01.5", "1.", "x"]
"""Prices that are left to Python, which takes some of them."""
FIXED = {"type": "fixed", "name": "F", "size": 17, "logicalType": "decimal", "precision": 38, "scale": 9}
FREE = {"type": "bytes", "logicalType": "decimal", "precision": 12, "scale": 2}
NULLABLE = [{"name": name, "type": ["null", type_]} for name, type_ in (("free", FREE), ("fixed", FIXED))]
AMOUNT = orjson.dumps({"type": "record", "name": "Amount", "fields": NULLABLE}).decode()


def orders() -> GraphBuilder:
    return GraphBuilder().stream("orders", ORDER)


def pipe_prices(driver: KernelDriver) -> None:
    for batch in range(3):
        with driver.batch():
            for number in range(20):
                price, rate = PRICES[number % len(PRICES)], WIDE[(number + batch) % len(WIDE)]
                driver.pipe_bytes(
                    "orders", b"k%d" % (number % 3), f'{{"price":{price},"rate":{rate}}}'.encode(), number
                )


def pipe_wrong(driver: KernelDriver) -> None:
    pipe_prices(driver)
    with driver.batch():
        for number, price in enumerate(WRONG):
            driver.pipe_bytes("orders", b"k", b'{"price":%s}' % price.encode(), number)


COMPUTED = fields(
    sum="price + 1.5BD",
    less="price - rate",
    times="price * 3",
    wide="rate * rate",
    negative="-price",
    text="to_json(price)",
    either="coalesce(price, 0.10BD)",
    more="price > 1",
    same="price = 1.5BD",
    share="price / 7",
    inverse="1 / (price + 3)",
    narrow="rate / 99999999999999999999999999999999999999BD",
    between="price BETWEEN 0 AND 12.000BD",
    price="price",
)


def test_computations_give_the_same_digits():
    compare_engines(orders().add("n", "map_values", {"fields": COMPUTED}, records="orders").to("out", "n"), pipe_wrong)


def test_a_quotient_just_below_a_half_is_rounded_twice():
    """First to 38 digits after the point, which makes it a half, and then to those of its type."""
    share = fields(share="rate / 99999999999999999999999999999999999999BD")

    def pipe(driver: KernelDriver) -> None:
        for rate in (b"49999999999999999999999999999.999999999", b"-49999999999999999999999999999.999999999", b"4"):
            driver.pipe_bytes("orders", b"k", b'{"rate":%s}' % rate, 1)

    compare_engines(orders().add("n", "map_values", {"fields": share}, records="orders").to("out", "n"), pipe)


def test_an_average_that_is_too_wide_for_its_type_is_refused():
    average = [{"name": "mean", "function": "avg", "expression": "rate"}]
    builder = orders().add("g", "group_by_key", stream="orders")
    builder.add("n", "aggregate", {"functions": average}, grouped="g").updates_to("out", "n")

    def pipe(driver: KernelDriver) -> None:
        for rates in ([b"0.5", b"1"], [b"99999999999999999999999999999", b"-99999999999999999999999999999"]):
            with driver.batch():
                for rate in rates:
                    driver.pipe_bytes("orders", b"k", b'{"rate":%s}' % rate, 1)

    compare_engines(builder, pipe, cache=True)


@pytest.mark.parametrize("cache", [False, True])
def test_functions_of_aggregates_keep_all_digits(cache: bool):
    functions = [
        {"name": f"{name} of {field}", "function": name, "expression": field}
        for name, field in (
            *(("sum", "price"), ("avg", "price"), ("min", "rate"), ("max", "price"), ("first", "rate")),
            ("last", "price"),
        )
    ]
    builder = orders().add("g", "group_by_key", stream="orders")
    builder.add("n", "aggregate", {"functions": functions}, grouped="g").updates_to("out", "n")
    builder.add("t", "to_table", stream="orders").add("h", "group_by", {"key": "key"}, records="t")
    builder.add("m", "aggregate", {"functions": functions}, grouped="h").updates_to("rows", "m")

    compare_engines(builder, pipe_prices, cache=cache)


def test_decimals_wait_in_joins_and_buffers():
    window = {"before_ms": 2, "after_ms": 5, "grace_ms": 3}
    builder = orders().add("f", "filter", {"predicate": "price > 1"}, records="orders")
    builder.add(
        "j", "left_join", {**window, "fields": fields(a="left.price", b="right.rate")}, left="f", right="orders"
    )
    builder.add("t", "to_table", {"store": "rows"}, stream="orders")
    builder.add("s", "suppress", {"until": "time_limit", "wait_ms": 4, "max_bytes": 900}, table="t")

    compare_engines(builder.to("out", "j").updates_to("held", "s"), pipe_prices)


def test_avro_has_the_same_bytes():
    builder = orders().add("n", "map_values", {"fields": fields(free="price", fixed="rate")}, records="orders")
    builder.to("amounts", "n", value_format="avro", value_schema=AMOUNT)

    compare_engines(builder, pipe_wrong)
