"""A command that a page tells people to type exists, and understands its arguments."""

import re
import shlex
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import CommandError, get_commands, load_command_class

from tests.docs.pages import PAGES, ROOT

CODE = re.compile(r"^```.*?^(.*?)^```$|`([^`]+)`", re.MULTILINE | re.DOTALL)
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
COMMAND = re.compile(r"(?:^|[ /])(make|manage\.py|streamwright(?: --url [^ ]+)?|python -m) ([a-z][\w.-]*)(.*)")
ELSEWHERE = re.compile(r"\.com|kubectl|pip |secret |tls ")
"""In lines of other programs, the word is a name."""


def commands(page: str) -> Iterator[tuple[str, str, str]]:
    """The commands in the code of a page: what executes them, their name and their arguments."""
    for fence, span in CODE.findall(page):
        for line in (fence or span).splitlines():
            if not ELSEWHERE.search(line) and (found := COMMAND.search(line)):
                yield found[1].split()[0] if found[1] != "python -m" else found[1], found[2], found[3]


def problem(runner: str, name: str, arguments: str) -> str:
    """Why a command cannot be executed; empty if it can."""
    if runner == "make":
        return "" if name in TARGETS else f"The Makefile has no {name}."
    if runner == "python -m":
        return "" if find_spec(name) else f"There is no module {name}."
    if name not in get_commands():
        return f"There is no command {name}."
    words = shlex.split(re.sub(r"<([^>]+)>", "some", arguments), comments=True)
    if not words or "…" in arguments:
        return ""
    try:
        load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(words)
    except CommandError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_of_a_page_is_understood(page: Path):
    problems = [f"{' '.join(each)}: {why}" for each in commands(page.read_text()) if (why := problem(*each))]

    assert not problems, "\n".join(problems)


def test_the_commands_of_the_readme_are_found():
    found = {(runner, name) for runner, name, _ in commands((ROOT / "README.md").read_text())}

    assert {("make", "run"), ("make", "test"), ("manage.py", "load"), ("streamwright", "status")} <= found


@pytest.mark.parametrize(
    "line", ["make tea", "manage.py brew", "manage.py deploy a b --on-tea keep", "python -m tests.tea"]
)
def test_a_command_that_is_not_there_is_found(line: str):
    (command,) = commands(f"Type `{line}`.")

    assert problem(*command)
