"""left_join of a stream with a table, and of two tables."""

from tests.runner.engine.operators.test_join import joined, with_table


def test_a_left_join_goes_on_with_null():
    driver = with_table("left_join").driver()

    driver.pipe("orders", key="a", value={"amount": 1})
    driver.pipe("items", key="a", value={"name": "apple"})
    driver.pipe("items", key="a", value=None)
    driver.pipe("orders", key="a", value={"amount": 2})

    assert driver.read("out") == [("a", {"amount": 1, "name": None}), ("a", {"amount": 2, "name": None})]


def test_a_left_join_keeps_the_left_row_when_the_right_is_deleted() -> None:
    driver = joined("left_join")

    driver.pipe("left", key="a", value="L")
    driver.pipe("right", key="a", value="R")
    driver.pipe("right", key="a", value=None)
    driver.pipe("left", key="a", value=None)

    assert driver.read("out") == [("a", "L-"), ("a", "LR"), ("a", "L-"), ("a", None)]


def test_a_left_join_gives_nothing_for_a_right_row_alone() -> None:
    driver = joined("left_join")

    driver.pipe("right", key="a", value="R")
    driver.pipe("left", key="b", value=None)

    assert driver.read("out") == []


def test_a_row_of_a_later_batch_is_not_found_though_its_time_is_earlier():
    driver = with_table("left_join").driver()

    with driver.batch():
        driver.pipe("orders", key="a", value={"amount": 1}, timestamp=605)
    with driver.batch():
        driver.pipe("items", key="a", value={"name": "apple"}, timestamp=600)

    assert driver.read("out") == [("a", {"amount": 1, "name": None})]
