"""Agents over the Model Context Protocol, with the official SDK's client: `streamwright mcp`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from confluent_kafka import Producer
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import ElicitRequestParams, ElicitResult

from webapp.accounts import tokens
from webapp.client import Server
from webapp.mcp import CANNOT_ASK, INSTRUCTIONS

from .conftest import Stage, edge, node

Call = Callable[..., Any]


class Agent:
    """The client of an agent whose user gives one answer to all questions. With None it cannot ask.

    `meanwhile` happens while the user thinks.
    """

    def __init__(
        self,
        url: str,
        token: str,
        *,
        agrees: bool | None,
        options: tuple[str, ...] = (),
        meanwhile: Call = lambda: None,
    ) -> None:
        self.questions: list[str] = []
        self.agrees = agrees
        self.meanwhile = meanwhile
        self.command = StdioServerParameters(
            command=sys.executable,
            args=["-m", "webapp", "mcp", "--url", url, *options],
            env=dict(os.environ) | {"STREAMWRIGHT_TOKEN": token},
        )

    async def answer(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
        self.questions.append(params.message)
        await anyio.to_thread.run_sync(self.meanwhile)
        return (
            ElicitResult(action="accept", content={"confirm": True}) if self.agrees else ElicitResult(action="decline")
        )

    def do(self, *calls: tuple[str, dict[str, Any]]) -> list[str]:
        """What each tool answers, in one session. The text of an error begins with `Error: `."""

        async def talk() -> list[str]:
            callback = None if self.agrees is None else self.answer
            async with Client(self.command, elicitation_callback=callback) as client:
                answers: list[str] = []
                for tool, arguments in calls:
                    result = await client.call_tool(tool, arguments)
                    text = "\n".join(part.text for part in result.content if part.type == "text")
                    answers.append(f"Error: {text}" if result.is_error else text)
                return answers

        return anyio.run(talk)

    def list_tools(self) -> dict[str, Any]:
        async def talk() -> dict[str, Any]:
            async with Client(self.command) as client:
                return {tool.name: tool for tool in (await client.list_tools()).tools}

        return anyio.run(talk)


@pytest.fixture
def token(stage: Stage) -> str:
    _, text = tokens.create(user=stage.user, name="agent", days=1)
    return text


def draw_large_orders(stage: Stage, predicate: str) -> dict[str, Any]:
    """What an agent draws for "orders above 100 go into a topic of their own"."""
    types = {"key_type": {"kind": "string"}, "value_type": ORDER}
    nodes = [
        node("orders", "stream", topic=stage.orders, start="earliest", **types),
        node("large", "filter", predicate=predicate),
        node("out", "to", topic=f"{stage.name}-large"),
    ]
    for each in nodes:
        del each["position"]
    return {"nodes": nodes, "edges": [edge("orders", "large", "records"), edge("large", "out")]}


ORDER = {"kind": "struct", "fields": [{"name": "amount", "type": {"kind": "double"}}]}


def test_an_agent_draws_checks_previews_tests_and_deploys_with_its_users_consent(
    stage: Stage, live_server: Any, token: str, kafka_servers: str
) -> None:
    producer = Producer({"bootstrap.servers": kafka_servers})
    for amount in (50, 500):
        producer.produce(stage.orders, key="a", value=json.dumps({"amount": amount}))
    producer.flush()
    agent = Agent(live_server.url, token, agrees=True)
    wrong, right = (draw_large_orders(stage, text) for text in ("amout > 100", "amount > 100"))
    records = [{"topic": stage.orders, "key": "a", "value": {"amount": amount}, "timestamp": 0} for amount in (1, 101)]

    operators, seen, issues, previewed, saved, _, verdicts, deployed = agent.do(
        ("list_operators", {}),
        ("read_topic", {"topic": stage.orders}),
        ("check", {"graph": wrong}),
        ("preview", {"graph": right, "node": "large"}),
        ("save_topology", {"graph": right, "name": stage.name}),
        ("save_test_case", {"topology": stage.name, "name": "only large", "records": records}),
        ("run_test_cases", {"topology": stage.name}),
        ("deploy", {"topology": stage.name, "message": "Drawn by an agent"}),
    )

    assert "windowed_by" in operators
    assert "500" in seen
    assert [issue["node"] for issue in json.loads(f"[{issues}]".replace("}\n{", "},{"))] == ["large"]
    assert "Did you mean `amount`?" in issues
    assert "500" in previewed and "50.0" not in previewed
    assert json.loads(saved)["issues"] == []
    assert '"passed"' in verdicts
    assert deployed.startswith(f"Job {stage.name} will run version 1.")
    assert agent.questions[0].startswith(f"Deploy revision 1 of `{stage.name}`?")
    assert f"Job {stage.name} would be new." in agent.questions[0]
    assert stage.job().version.note == "Drawn by an agent"
    graph = stage.job().version.graph
    assert [each["position"]["x"] for each in graph["nodes"]] == [0, 240, 480]


def test_nothing_is_deployed_or_stopped_against_the_users_will(stage: Stage, live_server: Any, token: str) -> None:
    topology = stage.topology()
    agent = Agent(live_server.url, token, agrees=False)

    (refused,) = agent.do(("deploy", {"topology": topology.slug}))

    assert refused == "Error: Error executing tool deploy: The user did not agree to deploy. Nothing was changed."
    assert not topology.versions.exists()


def test_a_user_is_asked_again_if_the_draft_changes_meanwhile(stage: Stage, live_server: Any, token: str) -> None:
    topology = stage.topology()
    server = Server(live_server.url, token)
    saves = [draw_large_orders(stage, "amount > 7")]

    def save() -> None:
        if saves:
            server.ask("PUT", f"/topologies/{topology.id}/draft", {"revision": 1, "graph": saves.pop()})

    agent = Agent(live_server.url, token, agrees=True, meanwhile=save)

    agent.do(("deploy", {"topology": topology.slug}))

    assert list(dict.fromkeys(question.splitlines()[0] for question in agent.questions)) == [
        f"Deploy revision {number} of `{topology.slug}`?" for number in (1, 2)
    ]
    assert "amount > 7" in json.dumps(topology.versions.get().graph)


def test_a_client_that_cannot_ask_learns_what_else_to_do(stage: Stage, live_server: Any, token: str) -> None:
    topology = stage.topology()
    agent = Agent(live_server.url, token, agrees=None)

    deployed, stopped = agent.do(("deploy", {"topology": topology.slug}), ("stop", {"job": "any"}))

    assert deployed == f"Error: Error executing tool deploy: {CANNOT_ASK}"
    assert stopped == f"Error: Error executing tool stop: {CANNOT_ASK}"
    assert not topology.versions.exists()


def test_an_agent_that_is_allowed_to_deploys_and_stops_without_a_question(
    stage: Stage, live_server: Any, token: str
) -> None:
    topology = stage.topology()
    agent = Agent(live_server.url, token, agrees=False, options=("--allow-deploy",))

    deployed, status, why, stopped = agent.do(
        ("deploy", {"topology": topology.slug}),
        ("status", {"job": stage.name}),
        ("why", {"job": stage.name, "node": "counts"}),
        ("stop", {"job": stage.name}),
    )

    assert agent.questions == []
    assert deployed.startswith(f"Job {stage.name} will run version 1.")
    assert stage.name in status
    assert why == "The job is starting.\nWait until it runs."
    assert stopped == f"Job {stage.name} finishes its batch and stops."
    assert stage.job().desired == "stopped"


def test_a_refusal_reaches_the_agent_with_its_next_step(stage: Stage, live_server: Any, token: str) -> None:
    answers = Agent(live_server.url, token, agrees=True).do(
        ("describe", {"topology": "nothing"}),
        ("describe_operator", {"name": "nothing"}),
        ("save_topology", {"graph": {"nodes": [{"id": "A!"}]}, "name": "x"}),
        ("read_topic", {"topic": stage.orders, "cluster": "nothing"}),
    )

    assert all(answer.startswith("Error: ") for answer in answers)
    assert "There is no topology `nothing`. Known: none yet." in answers[0]
    assert "There is no operator `nothing`. Operators: " in answers[1]
    assert "nodes[0] has no `operator`. Add it." in answers[2]
    assert "There is no cluster `nothing`. Known: " in answers[3]


def test_the_example_of_the_instructions_is_a_topology_without_issues_but_types(
    stage: Stage, live_server: Any, token: str
) -> None:
    example = json.loads(INSTRUCTIONS[INSTRUCTIONS.index("{") : INSTRUCTIONS.rindex("}") + 1])
    example["nodes"][0]["config"] |= {"key_type": {"kind": "string"}, "value_type": ORDER}

    (issues,) = Agent(live_server.url, token, agrees=True).do(("check", {"graph": example}))

    assert issues == ""


def test_tools_that_only_read_say_so(stage: Stage, live_server: Any, token: str) -> None:
    tools = Agent(live_server.url, token, agrees=True).list_tools()

    changing = {name for name, tool in tools.items() if not tool.annotations.read_only_hint}
    assert changing == {"save_topology", "save_test_case", "import_description", "deploy", "stop"}
    assert all(tool.description for tool in tools.values())
