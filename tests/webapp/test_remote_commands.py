"""Commands on the server and from another machine take the same arguments."""

from __future__ import annotations

import argparse

import pytest
from django.core.management import load_command_class

from runner.control.jobs.statuses import OnState
from runner.management.arguments import SHARED, read_amount, read_setting
from webapp.remote import ACTS, make_parser

ONLY_ON_THE_SERVER = {"by", "wait"}


def arguments_of(parser: argparse.ArgumentParser) -> dict[str, str | None]:
    """The arguments of a command with their help, without those that Django adds to each."""
    ours = {"topology", "job", "node", "before", "after", "seconds", "name", "set", "message", "cluster", "spark"}
    ours |= {"on_state", "preview", *ONLY_ON_THE_SERVER}
    return {action.dest: action.help for action in parser._actions if action.dest in ours}


def remote_parsers() -> dict[str, argparse.ArgumentParser]:
    (commands,) = (each for each in make_parser()._actions if isinstance(each, argparse._SubParsersAction))
    return dict(commands.choices)


@pytest.mark.parametrize("name", SHARED)
def test_a_command_takes_the_same_arguments_on_the_server_and_from_afar(name: str) -> None:
    on_server = load_command_class("runner", name).create_parser("manage.py", name)
    from_afar = remote_parsers()[name]

    assert on_server.description == from_afar.description == SHARED[name].help
    found = {dest: text for dest, text in arguments_of(on_server).items() if dest not in ONLY_ON_THE_SERVER}
    assert found == arguments_of(from_afar)


def test_each_shared_command_is_carried_out_from_afar() -> None:
    assert ACTS.keys() == SHARED.keys() <= remote_parsers().keys()


def test_a_deploy_offers_every_way_to_go_on() -> None:
    deploy = remote_parsers()["deploy"]

    (on_state,) = (action for action in deploy._actions if action.dest == "on_state")
    assert on_state.choices is not None
    assert list(on_state.choices) == OnState.values
    assert deploy.parse_args(["orders", "--set", "tasks=4", "--set", "start=latest"]).set == [
        ("tasks", 4),
        ("start", "latest"),
    ]


def test_a_setting_without_a_value_is_refused_with_the_next_step() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="Write --set name=value"):
        read_setting("tasks")


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "ten"])
def test_an_amount_that_is_none_is_refused_with_the_next_step(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="Write a number such as 10"):
        read_amount(text)
