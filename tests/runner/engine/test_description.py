"""A topology in words."""

from designer.values.schemas import INTEGER
from runner.engine.planning.description import describe
from tests.runner.graph_builder import GraphBuilder

COUNTED = """\
Topologies:
   Sub-topology: 0
    Source: orders (topics: [orders])
      --> named
    Processor: named
      --> by-name
      <-- orders, names
    Processor: by-name
      --> grouped-repartition
      <-- named
    Shuffle: grouped-repartition (to sub-topology: 1)
      <-- by-name
   Sub-topology: 1
    Shuffle: grouped-repartition (from sub-topology: 0)
      --> grouped
    Processor: grouped
      --> counts
      <-- grouped-repartition
    Processor: counts (stores: [totals])
      --> counts-updates
      <-- grouped
    Processor: counts-updates
      --> out
      <-- counts
    Sink: out (topic: [out])
      <-- counts-updates
   Global table, read by every task
    Source: names (topics: [names], stores: [names])
      --> named
"""


def test_it_names_sub_topologies_shuffles_stores_and_topics():
    builder = GraphBuilder().stream("orders", INTEGER).global_table("names", INTEGER)
    builder.add("named", "join", {"key": "key", "value": "right"}, left="orders", right="names")
    builder.add("by-name", "select_key", {"key": "CAST(value AS STRING)"}, stream="named")
    builder.add("grouped", "group_by_key", stream="by-name")
    builder.add("counts", "count", {"store": "totals"}, grouped="grouped").updates_to("out", "counts")

    assert describe(builder.driver().layout) == COUNTED


def test_a_node_shows_all_its_stores_and_topics_and_all_that_it_feeds():
    builder = GraphBuilder().stream("orders", INTEGER, topic=None, topics=["shop", "web"])
    builder.table("items", INTEGER, store="stock", history_ms=5)
    builder.add("joined", "join", {"value": "right"}, left="orders", right="items")

    assert describe(builder.to("one", "joined").to("two", "joined").driver().layout).splitlines()[2:9] == [
        "    Source: orders (topics: [shop, web])",
        "      --> joined",
        "    Source: items (topics: [items], stores: [stock, items.history])",
        "      --> joined",
        "    Processor: joined",
        "      --> one, two",
        "      <-- orders, items",
    ]


def test_a_foreign_key_join_shows_its_parts_and_the_shuffles_between_them():
    builder = GraphBuilder().table("orders", INTEGER).table("items", INTEGER, key=INTEGER)
    builder.add("joined", "join", {"foreign_key": "value", "value": "right"}, left="orders", right="items")
    builder.updates_to("out", "joined")

    found = describe(builder.driver().layout)

    assert found.count("(to sub-topology: ") == found.count("(from sub-topology: ") == 3
    assert "Processor: joined.lookup\n      --> joined-repartition\n      <-- items, joined.lookup-repartition" in found
