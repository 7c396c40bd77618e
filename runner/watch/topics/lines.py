"""The guard's report in lines for a terminal. It imports no Django, because commands on other machines use it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def describe_report(report: Mapping[str, Any]) -> str:
    """A report, as the API answers it, in lines for a terminal: one for each drawing or job, and its consequences."""
    lines = []
    verdict = report["verdict"]
    if verdict is not None:
        accepts = "accepts" if verdict["is_compatible"] else "refuses"
        lines.append(f"{report['subject']}: the registry {accepts} the schema at the level {verdict['level']}")
        lines += [f"  {reason}" for reason in verdict["reasons"]]
    if report["unjudged"]:
        lines.append(f"{report['subject']}: the registry gave no verdict. {report['unjudged']}")
    for each in report["affected"]:
        what = "draft" if each["job"] is None else "job" if each["is_running"] else "stopped job"
        lines.append(f"{each['name']} ({what}): {each['effect']}")
        if each["has_problems"]:
            lines.append("  It has problems of its own, so its state and the nodes behind them were not judged.")
        for consequence in each["consequences"]:
            when = "" if consequence["when"] == "at_once" else "if adopted: "
            place = ".".join(filter(None, (consequence["node"], consequence["field"])))
            lines.append(f"  {when}{place}: {consequence['message']}")
    if not report["affected"]:
        lines.append(f"No drawing and no job that you see reads {report['topic']}.")
    if report["unseen"]:
        lines.append(f"It also affects {report['unseen']} in projects that you do not see.")
    return "\n".join(lines)
