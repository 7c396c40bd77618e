"""Applications that Kafka Streams users build first, as exported topologies to start from."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypedDict

import orjson

from designer.projects.exchange import Export

EXAMPLES = Path(__file__).parent / "examples.jsonl"
"""The results of each application for five records. `python -m tests.gallery.examples` writes them."""
Purpose = Literal["count", "join", "window", "detect", "clean", "move"]
PURPOSES: dict[Purpose, tuple[str, ...]] = {
    "count": ("e01", "e10", "e12", "e13", "e27", "e32", "e36", "e37"),
    "join": ("e06", "e07", "e09", "e18", "e23", "e29"),
    "window": ("e02", "e03", "e04", "e14", "e15", "e16", "e17", "e21", "e22", "e28", "e30", "e34", "e38"),
    "detect": ("e05", "e26", "e35"),
    "clean": ("e08", "e11", "e19", "e31"),
    "move": ("e20", "e25"),
}
"""Purposes, by the numbers of the applications."""


class Application(Export):
    """An exported topology with its purpose in a user's words, and its differences from the printed form."""

    about: str


class ExampleRecord(TypedDict):
    topic: str
    key: str | None
    value: Any
    timestamp: int


class Example(TypedDict):
    """Five records for an application, and their results."""

    records: list[ExampleRecord]
    results: list[ExampleRecord]


@cache
def read_gallery() -> dict[str, Application]:
    """Every application by its id, in order."""
    documents = (file for file in (files(__name__) / "applications").iterdir() if file.name.endswith(".json"))
    applications = {file.name.removesuffix(".json"): orjson.loads(file.read_bytes()) for file in documents}
    return dict(sorted(applications.items()))


@cache
def read_gallery_examples() -> dict[str, Example]:
    """By the id of the application."""
    return {example.pop("id"): example for example in map(orjson.loads, EXAMPLES.read_bytes().splitlines())}


def read_purpose(application_id: str) -> Purpose:
    """Its purpose in `PURPOSES`."""
    number = application_id.partition("-")[0]
    return next(purpose for purpose, numbers in PURPOSES.items() if number in numbers)
