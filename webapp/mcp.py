"""A Model Context Protocol server: agents draw, check, preview, test, deploy and watch topologies.

`STREAMWRIGHT_TOKEN=sw_… streamwright mcp --url http://localhost:8000` speaks the protocol over stdin and stdout. Each
tool is one or two requests of the HTTP API with the token's permissions, so an agent can do what the token's user can
do, and nothing else. `deploy` and `stop` ask the user first, unless the server was started with `--allow-deploy`.

https://modelcontextprotocol.io, and the official SDK: https://github.com/modelcontextprotocol/python-sdk
"""

import json
import urllib.parse
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from designer.issues import IssueOut
from runner.control.jobs.text import describe_preview
from runner.watch.live.tables import write_details, write_jobs_table
from runner.watch.why.lines import describe_answer
from webapp.client import Refused, Server

INSTRUCTIONS = """\
Streamwright runs topologies of Kafka Streams operators as Spark jobs. A topology is a graph of nodes and edges:

{"nodes": [{"id": "orders", "operator": "stream", "config": {"topic": "orders"}},
           {"id": "large", "operator": "filter", "config": {"predicate": "amount > 100"}},
           {"id": "out", "operator": "to", "config": {"topic": "large-orders"}}],
 "edges": [{"source": "orders", "source_port": "result", "target": "large", "target_port": "records"},
           {"source": "large", "source_port": "result", "target": "out", "target_port": "stream"}]}

A source names the types of its keys and values ("key_type", "value_type") unless its records show them.

A good order of work: list_topics and read_topic to learn the fields of the records; list_operators and
describe_operator for ports and settings; search_functions for expressions, which are those of Spark SQL;
check until there are no issues; preview to see what comes out of a node; save_topology; save_test_case and
run_test_cases; preview_deploy; deploy; then status and why. Positions are optional: nodes without one are laid out.
Only save_topology, save_test_case, import_description, deploy and stop change anything.
"""
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
SAVES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
RUNS = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True)
MAX_RECORDS = 20
"""Records of one answer: an agent pays for each."""

GraphArgument = Annotated[dict[str, Any], Field(description='`{"nodes": […], "edges": […]}`, as in the instructions.')]
TopologyArgument = Annotated[str, Field(description="Slug, name or id of the topology.")]
JobArgument = Annotated[str, Field(description="Name of the job.")]
ClusterArgument = Annotated[
    str | None, Field(description="Name of the Kafka cluster. Leave it out where there is only one.")
]


CANNOT_ASK = (
    "This client cannot ask its user, who must agree to a deploy or a stop. Deploy in the browser, or start the server "
    "with `streamwright mcp --allow-deploy`."
)


class DeployPreview(BaseModel):
    """What a deploy would do, in words, and the revision of the draft for which that is true.

    Without a question to the user, nothing is said, and any revision will do.
    """

    revision: int | None = None
    text: str = ""


class Consent(BaseModel):
    """The answer of the user who is asked whether a job may start or stop."""

    confirm: bool = Field(title="Confirm", description="Yes, do this.")


def make_server(server: Server, *, allow_deploy: bool = False) -> MCPServer:
    """Return an MCP server whose tools ask `server`.

    With `allow_deploy`, `deploy` and `stop` do not ask the user. Example: `make_server(Server(url, token)).run()`
    serves stdin and stdout until the client goes away.
    """
    mcp = MCPServer("streamwright", title="Streamwright", instructions=INSTRUCTIONS, log_level="WARNING")
    for tools in (_add_catalogue, _add_topics, _add_topologies, _add_test_cases, _add_jobs):
        tools(mcp, _Requests(server, allow_deploy))
    return mcp


class _Requests:
    """Requests of tools. A refusal becomes the tool's error, so that the agent reads its next step."""

    def __init__(self, server: Server, allow_deploy: bool) -> None:
        self.server = server
        self.allow_deploy = allow_deploy

    def get(self, path: str, **query: Any) -> Any:
        given = {name: value for name, value in query.items() if value is not None}
        return self.call(lambda: self.server.ask("GET", f"{path}?{urllib.parse.urlencode(given)}" if given else path))

    def send(self, method: str, path: str, body: Any) -> Any:
        return self.call(lambda: self.server.ask(method, path, body))

    def topology(self, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.call(lambda: self.server.topology(name))
        return found

    def job(self, name: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.call(lambda: self.server.job(name))
        return found

    def cluster(self, name: str | None) -> str:
        """The name of the cluster, or of the only one. Raises ToolError if there are several."""
        names = [each["name"] for each in self.get("/clusters")["clusters"]]
        if name in names or (name is None and len(names) == 1):
            return name or str(names[0])
        raise ToolError(f"{f'There is no cluster `{name}`.' if name else 'Name a cluster.'} Known: {', '.join(names)}.")

    def call(self, ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        except Refused as refused:
            raise ToolError(str(refused)) from refused


def _add_catalogue(mcp: MCPServer, requests: _Requests) -> None:
    @mcp.tool(annotations=READS)
    def list_operators() -> str:
        """List all operators of the Kafka Streams DSL, with one line of help each."""
        operators = sorted(requests.get("/operators")["operators"], key=lambda each: (each["family"], each["name"]))
        return "\n".join(f"{each['name']} ({each['family']}): {each['help'].splitlines()[0]}" for each in operators)

    @mcp.tool(annotations=READS)
    def describe_operator(name: str) -> dict[str, Any]:
        """Return an operator's help, its ports with the kinds they take, and the JSON Schema of its config."""
        operators = {each["name"]: each for each in requests.get("/operators")["operators"]}
        if name not in operators:
            raise ToolError(f"There is no operator `{name}`. Operators: {', '.join(sorted(operators))}.")
        members = ("name", "help", "inputs", "outputs", "form", "expressions")
        return {member: operators[name][member] for member in members}

    @mcp.tool(annotations=READS)
    def search_functions(word: str = "") -> str:
        """Search the functions of expressions by a word of their name or help. Without a word, list all names."""
        functions = requests.get("/expressions/functions")
        found = [each for each in functions if word.lower() in json.dumps(each).lower()]
        if not word or len(found) > 2 * MAX_RECORDS:
            return ", ".join(sorted({each["name"] for each in found}))
        return "\n\n".join("\n".join(str(value) for value in each.values() if value) for each in found)


def _add_topics(mcp: MCPServer, requests: _Requests) -> None:
    @mcp.tool(annotations=READS)
    def list_topics(cluster: ClusterArgument = None) -> Any:
        """List the topics of a Kafka cluster."""
        return requests.get(f"/clusters/{_quote(requests.cluster(cluster))}/topics")

    @mcp.tool(annotations=READS)
    def read_topic(topic: str, cluster: ClusterArgument = None, count: int = 5) -> Any:
        """Return the newest records of a topic (at most 20), and the schema that they show."""
        path = f"/clusters/{_quote(requests.cluster(cluster))}/topics/{_quote(topic)}"
        return requests.get(path, count=max(1, min(count, MAX_RECORDS)))


def _add_topologies(mcp: MCPServer, requests: _Requests) -> None:
    @mcp.tool(annotations=READS)
    def list_topologies() -> Any:
        """List the topologies that the token's user can see."""
        members = ("id", "slug", "name", "project", "newest_version", "updated_at")
        return [{member: each[member] for member in members} for each in requests.get("/topologies")]

    @mcp.tool(annotations=READS)
    def read_topology(topology: TopologyArgument) -> Any:
        """Return the draft of a topology: its graph and its revision."""
        draft = requests.get(f"/topologies/{requests.topology(topology)['id']}/draft")
        return {member: draft[member] for member in ("revision", "graph", "schemas")}

    @mcp.tool(annotations=READS)
    def check(graph: GraphArgument) -> Any:
        """Return the issues of a graph: the node, the message and the next step. Without issues, it can run."""
        return _check(requests, graph)

    @mcp.tool(annotations=READS)
    def preview(
        graph: GraphArgument,
        node: Annotated[str, Field(description="The node whose results are wanted.")],
        records: Annotated[
            list[dict[str, Any]] | None,
            Field(description="Records to try instead of the newest: {topic, key, value, timestamp in ms}."),
        ] = None,
        cluster: ClusterArgument = None,
    ) -> Any:
        """Run a graph on the newest records of its topics, or on given ones, without writing anything.

        Returns how many records were read, the first results at each port, the counts of each node, and failed records.
        """
        lines = None if records is None else _write_lines(records)
        body = {"graph": graph, "node": node, "lines": lines, "cluster": requests.cluster(cluster)}
        trial = requests.send("POST", "/trials", body)
        trial["failed"] = trial["failed"][:MAX_RECORDS]
        for port in trial["outputs"].values():
            for member, value in port.items():
                if isinstance(value, list):
                    port[member] = value[:MAX_RECORDS]
        return {member: value for member, value in trial.items() if member != "sources"}

    @mcp.tool(annotations=SAVES)
    def save_topology(
        graph: GraphArgument,
        name: Annotated[str, Field(description="Name of a new topology, or slug, name or id of an existing one.")],
        project: str | None = None,
        revision: Annotated[
            int | None, Field(description="Of an existing topology: the revision from read_topology.")
        ] = None,
    ) -> Any:
        """Save a graph as a new topology or, with the revision that was read, as the draft of an existing one."""
        if revision is None:
            saved = requests.send("POST", "/topologies", {"name": name, "graph": graph, "project": project})
            topology, at = saved, 1
        else:
            topology = requests.topology(name)
            body = {"revision": revision, "graph": graph, "schemas": None}
            at = requests.send("PUT", f"/topologies/{topology['id']}/draft", body)["revision"]
        page = f"{requests.server.url}/topologies/{topology['id']}"
        draft = {"id": topology["id"], "slug": topology["slug"], "revision": at, "page": page}
        return draft | {"issues": _check(requests, graph)}

    @mcp.tool(annotations=SAVES)
    def import_description(description: str, name: str, project: str | None = None) -> Any:
        """Create a topology from what `Topology#describe()` of a Kafka Streams application prints."""
        query = "" if project is None else f"?{urllib.parse.urlencode({'project': project})}"
        return requests.send("POST", f"/topologies/import{query}", {"description": description, "name": name})

    @mcp.tool(annotations=READS)
    def list_versions(topology: TopologyArgument) -> Any:
        """List the versions of a topology, the newest first."""
        versions = requests.get(f"/topologies/{requests.topology(topology)['id']}/versions")
        members = ("id", "number", "note", "created_at", "created_by")
        return [{member: each[member] for member in members} for each in versions]

    @mcp.tool(annotations=READS)
    def show_differences(topology: TopologyArgument, before: str, after: str = "draft") -> str:
        """Return what two versions of a topology differ in. Each is a version's number, or `draft`."""
        path = f"/topologies/{requests.topology(topology)['id']}/differences"
        return str(requests.get(path, before=before, after=after)["text"]) or "They are equal."


def _add_test_cases(mcp: MCPServer, requests: _Requests) -> None:
    @mcp.tool(annotations=SAVES)
    def save_test_case(
        topology: TopologyArgument,
        name: str,
        records: Annotated[list[dict[str, Any]], Field(description="In order: {topic, key, value, timestamp in ms}.")],
        expected: Annotated[
            list[dict[str, Any]] | None,
            Field(description="Expected results in the same form. Leave it out to keep what comes out now."),
        ] = None,
    ) -> Any:
        """Keep records and the results that they must give as a test case of a topology."""
        body = {
            "name": name,
            "records": _write_lines(records),
            "expected": None if expected is None else _write_lines(expected),
        }
        return requests.send("POST", f"/topologies/{requests.topology(topology)['id']}/cases", body)

    @mcp.tool(annotations=READS)
    def run_test_cases(topology: TopologyArgument) -> Any:
        """Run all test cases of a topology's draft, and return each verdict with the first difference."""
        return requests.send("POST", f"/topologies/{requests.topology(topology)['id']}/cases/run", {})


def _add_jobs(mcp: MCPServer, requests: _Requests) -> None:
    @mcp.tool(annotations=READS)
    def describe(topology: TopologyArgument) -> str:
        """Print the sub-topologies, shuffles, stores and topics of a draft, like Topology#describe."""
        return str(_preview_deploy(requests, topology)["description"])

    @mcp.tool(annotations=READS)
    def preview_deploy(topology: TopologyArgument) -> str:
        """Say what a deploy of the draft would do: topics that it creates, and state that it keeps or loses."""
        return describe_preview(_preview_deploy(requests, topology))

    def look_ahead(topology: TopologyArgument) -> DeployPreview:
        if requests.allow_deploy:
            return DeployPreview()
        preview = _preview_deploy(requests, topology)
        return DeployPreview(revision=preview["revision"], text=describe_preview(preview))

    def ask_to_deploy(
        topology: TopologyArgument,
        preview: Annotated[DeployPreview, Resolve(look_ahead)],
        context: Context[Any, Any],
        on_state: str | None = None,
    ) -> Consent | Elicit[Consent]:
        if requests.allow_deploy:
            return Consent(confirm=True)
        with_state = f" with on_state `{on_state}`" if on_state else ""
        question = f"Deploy revision {preview.revision} of `{topology}`{with_state}?\n\n{preview.text}"
        return _make_question(question, context)

    @mcp.tool(annotations=RUNS)
    def deploy(
        topology: TopologyArgument,
        preview: Annotated[DeployPreview, Resolve(look_ahead)],
        consent: Annotated[ElicitationResult[Consent], Resolve(ask_to_deploy)],
        message: Annotated[str, Field(description="What this version changes.")] = "",
        on_state: Annotated[
            str | None, Field(description="What to do where state cannot be kept, as preview_deploy says.")
        ] = None,
    ) -> str:
        """Run the draft of a topology as a job, after the user agreed. The draft becomes a version."""
        _require(consent, "deploy")
        body = {"topology": requests.topology(topology)["id"], "message": message, "revision": preview.revision}
        if on_state:
            body["on_state"] = on_state
        job = requests.send("POST", "/jobs/deploy", body)
        return f"Job {job['name']} will run version {job['version_number']}. Ask status for its live numbers."

    def ask_to_stop(job: JobArgument, context: Context[Any, Any]) -> Consent | Elicit[Consent]:
        if requests.allow_deploy:
            return Consent(confirm=True)
        return _make_question(f"Stop the job `{job}`? It finishes its batch, and its state stays.", context)

    @mcp.tool(annotations=RUNS)
    def stop(job: JobArgument, consent: Annotated[ElicitationResult[Consent], Resolve(ask_to_stop)]) -> str:
        """Let a job finish its batch and stop, after the user agreed."""
        _require(consent, "stop")
        requests.send("POST", f"/jobs/{requests.job(job)['id']}/stop", None)
        return f"Job {job} finishes its batch and stops."

    @mcp.tool(annotations=READS)
    def status(job: Annotated[str | None, Field(description="Name of a job; all jobs if left out.")] = None) -> str:
        """Return the status, rates, lag and latency of all jobs, or of one job with the numbers of each node."""
        live = {each["job"]: each for each in requests.get("/live")}
        jobs = [requests.job(job)] if job else requests.get("/jobs")
        rows = [(each["name"], each["version_number"], live[each["id"]]) for each in jobs if each["id"] in live]
        if not rows:
            return "There is no job yet."
        table = write_jobs_table(rows)
        return f"{table}\n\n{write_details(live[jobs[0]['id']])}" if job else table

    @mcp.tool(annotations=READS)
    def why(job: JobArgument, node: Annotated[str, Field(description="Id of the node without output.")]) -> str:
        """Say why nothing comes out of a node of a running job, and what to do."""
        answer = requests.get(f"/jobs/{requests.job(job)['id']}/why/{_quote(node)}")
        return describe_answer(answer, node)


def _check(requests: _Requests, graph: Mapping[str, Any]) -> list[IssueOut]:
    return list(requests.send("POST", "/check", {"graph": graph})["issues"])


def _preview_deploy(requests: _Requests, topology: str) -> Mapping[str, Any]:
    body = {"topology": requests.topology(topology)["id"]}
    preview: Mapping[str, Any] = requests.send("POST", "/jobs/preview-deploy", body)
    return preview


def _make_question(text: str, context: Context[Any, Any]) -> Elicit[Consent]:
    """Ask the user for consent. Raises ToolError if the client cannot ask."""
    capabilities = context.client_capabilities
    elicitation = capabilities.elicitation if capabilities else None
    if elicitation is None or (elicitation.form is None and elicitation.url is not None):
        raise ToolError(CANNOT_ASK)
    return Elicit(text, Consent)


def _require(consent: ElicitationResult[Consent], act: str) -> None:
    """Raise ToolError unless the user said yes."""
    if not (isinstance(consent, AcceptedElicitation) and consent.data.confirm):
        raise ToolError(f"The user did not agree to {act}. Nothing was changed.")


def _write_lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "\n".join(json.dumps(record) for record in records)


def _quote(part: str) -> str:
    return urllib.parse.quote(part, safe="")
