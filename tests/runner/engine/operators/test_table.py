"""table."""

from designer.schemas import INTEGER
from tests.runner.drawing import Drawing


def test_a_table_forwards_each_update_and_drops_null_keys():
    driver = Drawing().table("prices", INTEGER).updates_to("out", "prices").driver()

    driver.pipe("prices", key="a", value=1)
    driver.pipe("prices", key=None, value=2)
    driver.pipe("prices", key="a", value=None)

    assert driver.read("out") == [("a", 1), ("a", None)]
    assert driver.dropped_records == 1


def test_a_table_without_a_store_passes_needless_deletions():
    driver = Drawing().table("prices", INTEGER).updates_to("out", "prices").driver()

    driver.pipe("prices", key="never", value=None)

    assert driver.read("out") == [("never", None)]
    assert driver.layout.stores == ()


def test_later_offsets_win_over_later_times():
    drawing = Drawing().stream("orders", INTEGER).table("prices", INTEGER)
    drawing.add("priced", "join", {"value": "right"}, left="orders", right="prices")
    driver = drawing.to("out", "priced").driver()

    driver.pipe("prices", key="a", value=1, timestamp=10)
    driver.pipe("prices", key="a", value=2, timestamp=5)
    driver.pipe("orders", key="a", value=0, timestamp=20)

    assert driver.read("out") == [("a", 2)]
