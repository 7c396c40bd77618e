"""Commands on the server and from another machine take the same arguments."""

from __future__ import annotations

import argparse
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from django.core.management import load_command_class

from designer.projects.roles import SERVER
from designer.refusals import Refusal
from runner.control.jobs.command import JobCommand
from runner.control.jobs.statuses import OnState
from runner.management.arguments import SHARED, read_amount, read_setting
from webapp.client import Refused, Server
from webapp.remote import ACTS, make_parser, say

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


STEERING = "\x1b]0;mine\x07\x1b[2J\u202e"
"""Clears a terminal, and names its window."""


def test_no_text_from_afar_steers_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"The value is {STEERING}.\n\tIt is late.")

    assert capsys.readouterr().out == "The value is \\u001b]0;mine\\u0007\\u001b[2J\\u202e.\n\tIt is late.\n"


def test_no_text_of_a_record_steers_the_terminal_of_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    class Show(JobCommand):
        needs = SERVER

        def act(self, **options: Any) -> None:
            self.stdout.write(STEERING)
            raise Refusal(STEERING, "Look away.")

    with pytest.raises(SystemExit):
        Show().run_from_argv(["manage.py", "show"])

    said = capsys.readouterr()
    assert (said.out.count("\\u001b"), said.err.count("\\u001b")) == (2, 2)
    assert not set(STEERING) & {"\x1b", "\x07", "\u202e"} & set(said.out + said.err)


class Redirect(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(302)
        self.send_header("Location", "http://elsewhere.example/api/jobs")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


def test_a_redirect_does_not_take_the_token_elsewhere() -> None:
    with HTTPServer(("127.0.0.1", 0), Redirect) as server:
        Thread(target=server.handle_request, daemon=True).start()

        with pytest.raises(Refused) as refused:
            Server(f"http://127.0.0.1:{server.server_port}", "sw_secret").ask("GET", "/jobs")

    assert "answers 302 and leads to http://elsewhere.example/api/jobs." in str(refused.value)
