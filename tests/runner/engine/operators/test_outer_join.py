"""outer_join of two tables and of two streams."""

from designer.values.schemas import STRING
from tests.runner.engine.operators.test_join import joined
from tests.runner.graph_builder import GraphBuilder


def test_an_outer_join_keeps_the_rows_of_both_sides() -> None:
    driver = joined("outer_join")

    driver.pipe("right", key="a", value="R")
    driver.pipe("left", key="a", value="L")
    driver.pipe("right", key="a", value=None)
    driver.pipe("left", key="a", value=None)
    driver.pipe("left", key="a", value=None)

    assert driver.read("out") == [("a", "-R"), ("a", "LR"), ("a", "L-"), ("a", None)]


def test_a_record_of_a_stream_without_a_partner_goes_out_alone_when_its_time_is_over():
    builder = GraphBuilder().stream("lefts", STRING).stream("rights", STRING)
    config = {"value": "concat(coalesce(left, '-'), coalesce(right, '-'))", "before_ms": 5, "after_ms": 5}
    driver = builder.add("pairs", "outer_join", config, left="lefts", right="rights").to("out", "pairs").driver()

    driver.pipe("rights", key="a", value="R", timestamp=0)
    driver.pipe("lefts", key="b", value="L", timestamp=100)

    assert driver.read("out") == [("a", "-R")]
