"""The page Schemas: a change is tried, and a version that somebody registered has its lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from designer.values.schemas import SchemaText
from runner.registry import Registry
from tests.e2e.pages import HomePage
from tests.proof.product import Product

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def order(*names: str) -> str:
    fields = [{"name": name, "type": "long"} for name in names]
    return json.dumps({"type": "record", "name": "Order", "fields": fields})


@pytest.fixture
def topic(product: Product, registry_url: str) -> Iterator[str]:
    """A topic of a cluster with a registry. A drawing reads its amounts."""
    name = f"orders-{uuid4().hex[:8]}"
    registry = {"url": registry_url, "is_internal": True}
    product.post("/clusters", {"name": name, "bootstrap_servers": product.kafka, "config": {}, "registry": registry})
    Registry(registry_url, {}, is_internal=True).register(f"{name}-value", SchemaText("AVRO", order("id", "amount")))
    source = {"topic": name, "key_format": "string", "value_schema": order("id", "amount"), "schema_registry": True}
    nodes = [
        {"id": "orders", "operator": "stream", "config": source},
        {"id": "big", "operator": "filter", "config": {"predicate": "amount > 100"}},
    ]
    edges = [{"source": "orders", "source_port": "result", "target": "big", "target_port": "records"}]
    topology = product.post("/topologies", {"name": name, "graph": {"nodes": nodes, "edges": edges}})["id"]
    product.send("PUT", f"/topologies/{topology}/cluster", {"cluster": name})
    yield name
    product.delete(f"/topologies/{topology}")
    product.delete(f"/clusters/{name}")


def test_a_change_is_tried_and_a_registered_one_is_noticed(
    home: HomePage, product: Product, topic: str, registry_url: str
) -> None:
    page = home.page
    page.goto(f"{product.http.base_url}/schemas/{topic}/{topic}-value")
    text = page.get_by_role("textbox", name="Schema to try")
    expect(text).to_have_value(json.dumps(json.loads(order("id", "amount")), indent=2))

    text.fill(order("id"))
    page.get_by_role("button", name="What does it break?").click()

    report = page.get_by_role("status").filter(has_text="The registry")
    expect(report).to_contain_text("accepts it at the level")
    expect(report).to_contain_text(f"{topic} (draft): records fail at once")
    expect(report.get_by_role("link", name="big.predicate").first).to_be_visible()

    registry = Registry(registry_url, {}, is_internal=True)
    registry.register(f"{topic}-value", SchemaText("AVRO", order("id")))
    product.post(f"/clusters/{topic}/registry/notice")
    page.reload()

    noticed = page.get_by_role("region", name="Version 2")
    expect(noticed.get_by_role("link", name="big.predicate").first).to_be_visible()
    expect(page.get_by_role("navigation", name="Subjects").get_by_role("link", name=topic)).to_contain_text(
        "newest version breaks a reader"
    )
    if folder := os.environ.get("SCHEMAS_PICTURES"):
        for scheme in ("light", "dark"):
            for width in (1440, 1024):
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size({"width": width, "height": 900})
                page.screenshot(path=str(Path(folder) / f"{scheme}-{width}.png"), full_page=True)
