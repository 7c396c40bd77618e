"""Topologies that users drew from documents and that once failed or misled. Each is an export with test cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from designer.topology.graph import Graph


def read_export(name: str) -> dict[str, Any]:
    export: dict[str, Any] = json.loads(Path(__file__).with_name(f"{name}.json").read_text())
    return export


def read_seed(name: str) -> Graph:
    return Graph.from_json(read_export(name)["graph"])
