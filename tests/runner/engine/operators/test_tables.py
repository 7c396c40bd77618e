"""table, filter, map_values and to_stream on a KTable."""

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


def test_a_filter_deletes_rows_even_those_never_seen_where_old_values_are_not_known():
    drawing = Drawing().table("prices", INTEGER)
    drawing.add("dear", "filter", {"predicate": "value > 5"}, records="prices")
    driver = drawing.updates_to("out", "dear").driver()

    driver.pipe("prices", key="a", value=1)
    driver.pipe("prices", key="a", value=6)
    driver.pipe("prices", key="a", value=2)

    assert driver.read("out") == [("a", None), ("a", 6), ("a", None)]


def test_a_filter_of_a_materialised_table_says_nothing_of_rows_that_were_not_there():
    drawing = Drawing().table("prices", INTEGER, store="prices")
    drawing.add("dear", "filter", {"predicate": "value > 5"}, records="prices")
    driver = drawing.updates_to("out", "dear").driver()

    driver.pipe("prices", key="a", value=1)
    driver.pipe("prices", key="a", value=6)
    driver.pipe("prices", key="a", value=2)
    driver.pipe("prices", key="a", value=None)

    assert driver.read("out") == [("a", 6), ("a", None)]


def test_a_filter_defined_before_its_table_was_needed_does_not_know_old_values():
    drawing = Drawing().stream("orders", INTEGER).table("prices", INTEGER)
    drawing.add("dear", "filter", {"predicate": "value > 5"}, records="prices")
    drawing.add("priced", "join", {"value": "right"}, left="orders", right="prices")
    driver = drawing.updates_to("out", "dear").to("joined", "priced").driver()

    driver.pipe("prices", key="a", value=1)

    assert driver.read("out") == [("a", None)]
    assert [store.name for store in driver.layout.stores] == ["prices"]


def test_mapped_rows_are_forwarded_even_when_unchanged_and_deletions_are_not_mapped():
    drawing = Drawing().table("prices", INTEGER)
    drawing.add("known", "map_values", {"value": "value IS NOT NULL"}, records="prices")
    driver = drawing.updates_to("out", "known").driver()

    for value in (1, 2, None):
        driver.pipe("prices", key="a", value=value)

    assert driver.read("out") == [("a", True), ("a", True), ("a", None)]


def test_rows_of_derived_tables_are_computed_when_looked_up():
    drawing = Drawing().stream("orders", INTEGER).table("prices", INTEGER)
    drawing.add("doubled", "map_values", {"value": "value * 2"}, records="prices")
    drawing.add("dear", "filter", {"predicate": "value > 5"}, records="doubled")
    drawing.add("priced", "left_join", {"value": "right"}, left="orders", right="dear")
    driver = drawing.to("out", "priced").driver()

    for price in (2, 3, None):
        driver.pipe("prices", key="a", value=price)
        driver.pipe("orders", key="a", value=0)

    assert driver.read("out") == [("a", None), ("a", 6), ("a", None)]
    assert [store.node for store in driver.layout.stores] == ["prices"]


def test_a_named_derived_table_has_a_store_of_its_own():
    drawing = Drawing().stream("orders", INTEGER).table("prices", INTEGER)
    drawing.add("doubled", "map_values", {"value": "value * 2", "store": "doubled"}, records="prices")
    drawing.add("priced", "join", {"value": "right"}, left="orders", right="doubled")
    driver = drawing.to("out", "priced").driver()

    driver.pipe("prices", key="a", value=4)
    driver.pipe("orders", key="a", value=0)

    assert driver.read("out") == [("a", 8)]
    assert [store.node for store in driver.layout.stores] == ["doubled"]
