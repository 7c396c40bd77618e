"""The Java of a stored topology."""

from __future__ import annotations

from designer.projects.models import Topology
from runner.export.java.project import Project, make_java_project
from runner.export.java.testing import KeptCase


def export_java(topology: Topology) -> Project:
    """The project of a topology's draft, with its test cases. Raises Refusal."""
    draft = topology.draft
    cases = [KeptCase(case.name, case.records, case.expected) for case in topology.cases.order_by("name")]
    return make_java_project(topology.name, topology.slug, draft.read_graph(), draft.read_schemas(), cases)
