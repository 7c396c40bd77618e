"""The list of commands, as an engineer asks for it."""

from __future__ import annotations

import pytest

from webapp.command_line import CommandLine


def test_the_help_says_of_each_command_of_ours_what_it_does_before_those_of_django():
    text = CommandLine(["manage.py", "help"]).main_help_text()

    ours, _, others = text.partition("Django and its packages have others:")
    assert "  deploy                Deploy a topology's draft, or one of its versions, as a job.\n" in ours
    assert "  watch                 Show a job's live numbers" in ours
    assert "collectstatic" in others and "collectstatic" not in ours


def test_the_help_names_the_installed_command_rather_than_its_file():
    assert CommandLine(["/usr/lib/webapp/__main__.py"]).main_help_text().startswith("streamwright COMMAND")


def test_a_command_that_asks_a_running_product_says_how():
    with pytest.raises(SystemExit, match=r"guard asks a running product.*streamwright --url ADDRESS guard"):
        CommandLine(["streamwright", "guard", "orders", "order.avsc"]).execute()


def test_a_shell_that_completes_words_gets_names_alone():
    names = CommandLine(["manage.py", "help", "--commands"]).main_help_text(commands_only=True).split()

    assert {"deploy", "migrate"} <= set(names)
