"""Runs users' Python, compiled once, only in a process made for it. Words its exceptions."""

from __future__ import annotations

import linecache
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from designer.refusals import Refusal
from designer.topology.user_code import ALLOW, read_outline
from runner.engine.codes import EngineCode

_is_trusted = False


class CodeNotAllowed(Refusal):
    """This process may not run users' Python."""

    code = EngineCode.CODE_NOT_ALLOWED
    status = 403


class CodeFailed(Refusal):
    """Code failed outside of any record: while it was loaded, or in init() or close()."""

    code = EngineCode.CODE_FAILED
    status = 422


def trust_this_process() -> None:
    """Lets this process run users' code. It must hold no secrets: a worker of a run, never the web."""
    global _is_trusted
    _is_trusted = True


def load_user_class(node: str, text: str, names: Mapping[str, Any]) -> type:
    """The class that the code of a node defines. `names` are available to the code without an import."""
    if not _is_trusted:
        message = f"`{node}` is Python code, which this process does not run."
        raise CodeNotAllowed(message, f"Start the server with {ALLOW}=1 and deploy again.", node=node)
    return _load(node, text, tuple(names.items()))


@lru_cache(maxsize=64)
def _load(node: str, text: str, offers: tuple[tuple[str, Any], ...]) -> type:
    filename = name_file(node)
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, Any] = {"__name__": node, **dict(offers)}
    try:
        exec(compile(text, filename, "exec", dont_inherit=True), names)
        user_class = names[read_outline(text).name]
        assert isinstance(user_class, type)
        return user_class
    except (Exception, SystemExit) as error:
        raise make_code_failure(node, "cannot be loaded", error) from error


def name_file(node: str) -> str:
    """Name of a node's code in tracebacks."""
    return f"<{node}.code>"


def make_code_failure(node: str, what: str, error: BaseException) -> CodeFailed:
    """The failure of a whole task, caused by the code of one node."""
    return CodeFailed(
        f"The code of `{node}` {what}: {describe_error(node, error)}", "Correct the code and deploy.", node=node
    )


def describe_error(node: str, error: BaseException) -> str:
    """Describes an error with its line in the code, as text that UTF-8 can write."""
    text, line = _read_text(error), find_line(node, error)
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return f"{what} (line {line} of the code)" if line else what


def _read_text(error: BaseException) -> str:
    """What an error says. Nothing if the `__str__` of a user's own exception fails in its turn."""
    try:
        return str(error).encode(errors="backslashreplace").decode()
    except Exception:
        return ""


def find_line(node: str, error: BaseException) -> int | None:
    """The innermost line of the node's code in an error's traceback."""
    filename, line = name_file(node), None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == filename:
            line = step.tb_lineno
        step = step.tb_next
    return line
