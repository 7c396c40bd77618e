"""The windows that a windowed_by node makes of the newest records, with the times in each and the late records."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

from designer.reasons import Reason
from designer.refusals import NotFound
from designer.topology.catalogue import get_catalogue
from designer.topology.graph import Edge, Graph, Node
from designer.values import exact_json
from runner.watch.trials.services import Trial, try_out


class WindowTimes(TypedDict):
    """A window and the times of its records (ms)."""

    start: int
    end: int
    times: list[int]


class FoundWindows(TypedDict):
    """The windows of a trial by their start, and the number of records that came too late."""

    windows: list[WindowTimes]
    grace_ms: int
    late: int


def find_windows(trial: Trial, node: str) -> FoundWindows:
    """The windows of a trial, by their start. The probe of its operator finds them, so the engine decides.

    Raises the refusals of `try_out`.
    """
    graph = trial.graph
    if node not in graph.by_id:
        raise NotFound(f"The graph has no node `{node[:80]}`.", "Send the current graph.")
    windowing = graph.node(node)
    operator = get_catalogue().get(windowing.operator)
    if operator is None or operator.window_probe is None:
        raise NotFound(f"`{node[:80]}` makes no windows.", "Name a node that divides groups into windows.")
    probe = operator.window_probe
    config = {name: value for name, value in windowing.config.items() if name not in probe.without}
    last = max(graph.by_id, key=len)
    collector = Node(f"{last}-times", probe.operator, probe.config)  # longer than every name, so a new one
    nodes = [replace(windowing, config=config) if each is windowing else each for each in graph.nodes]
    edges = (*graph.edges, Edge(node, "result", collector.id, probe.port))
    answer = try_out(trial._replace(graph=Graph((*nodes, collector), edges)), collector.id)
    times_by_window: dict[tuple[str, int, int], list[int]] = {}
    for record in answer["outputs"]["result"]["records"]:
        window = record["window"]
        assert window is not None  # the probe keeps the windows of its input
        of = (record["key"] or "", window["start"], window["end"])
        if record["value"] is None:  # a session that was merged into another
            times_by_window.pop(of, None)
        elif record["value_length"] is None:
            times_by_window[of] = exact_json.loads(record["value"])["times"]
    windows: list[WindowTimes] = [
        {"start": of[1], "end": of[2], "times": times} for of, times in times_by_window.items()
    ]
    return {
        "windows": sorted(windows, key=lambda window: (window["start"], window["end"])),
        "grace_ms": config.get("grace_ms", 0),
        "late": answer["dropped"].get(collector.id, {}).get(Reason.LATE.text, 0),
    }
