"""The program of a topology over HTTP."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router, Schema

from designer.requests import topology_of
from runner.programs.writing import program_of

router = Router(tags=["designer"])


class ProgramOut(Schema):
    """Python that draws the draft of a topology."""

    file: str
    program: str


@router.get("/topologies/{topology_id}/program", response=ProgramOut, summary="The draft of a topology as Python")
def write_program(request: HttpRequest, topology_id: int) -> ProgramOut:
    topology = topology_of(topology_id)
    draft = topology.draft
    program = program_of(topology.name, topology.slug, draft.read_graph(), draft.schemas)
    return ProgramOut(file=f"{topology.slug}.py", program=program)
