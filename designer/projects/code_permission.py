"""Users who may run their own Python: those with the permission `run_code`, on a server that allows it."""

from __future__ import annotations

from typing import TypedDict

from django.contrib.auth.models import AbstractUser

from designer.command_line import MANAGE
from designer.refusal_codes import DesignerCode
from designer.refusals import Refusal
from designer.topology.graph import Graph
from designer.topology.user_code import ALLOW, find_nodes_with_code, is_python_allowed

RUN_CODE = "designer.run_code"
OFF = f"Python is off on this server. Ask an administrator to start the server with {ALLOW}=1."


class CodeNotPermitted(Refusal):
    """A topology runs Python, and the user may not run it."""

    code = DesignerCode.CODE_NOT_PERMITTED
    status = 403


class Python(TypedDict):
    """Whether someone may use the operators of the family `code`, and if not, why."""

    is_allowed: bool
    why: str


def describe_python(user: AbstractUser) -> Python:
    if not is_python_allowed():
        return {"is_allowed": False, "why": OFF}
    may = user.has_perm(RUN_CODE)
    return {"is_allowed": may, "why": "" if may else f"You lack the permission run_code. {_describe_way_to_it(user)}"}


def refuse_code(graph: Graph, by: AbstractUser | None) -> None:
    """Raises CodeNotPermitted if a graph has code and the user lacks the permission for it."""
    nodes = find_nodes_with_code(graph)
    if nodes and (by is None or not by.has_perm(RUN_CODE)):
        names = ", ".join(f"`{node}`" for node in nodes)
        message = f"{names} runs Python, which needs the permission run_code."
        raise CodeNotPermitted(message, _describe_way_to_it(by), nodes=nodes)


def _describe_way_to_it(user: AbstractUser | None) -> str:
    name = user.get_username() if user else "<user>"
    return f"Ask an administrator for it: {MANAGE} allow_code {name}"
