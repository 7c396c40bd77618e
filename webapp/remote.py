"""Commands for a machine without the server's files: they ask a server over HTTP, with a token.

`STREAMWRIGHT_TOKEN=sw_… streamwright --url https://streams.example.com status` needs no database and no settings.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from designer.names import show_hidden
from runner.control.jobs.text import describe_application, describe_comparison, describe_cut_over, describe_preview
from runner.management.arguments import SHARED
from runner.watch.alerts.tables import write_alerts_table
from runner.watch.live.tables import describe_lost, is_new, write_details, write_jobs_table, write_line
from runner.watch.proving.text import describe_correction
from runner.watch.topics.lines import describe_report
from runner.watch.why.lines import describe_answer
from webapp.client import Refused, Server

FAILS, COULD_NOT = 1, 2
"""Exit codes of a command that judges: something fails, or it could not ask. Wrong arguments end with 2, too."""
WATCH_SECONDS = 1.0
COMPARE_SECONDS = 240.0
"""A comparison reads up to 300,000 records, or waits for moments at which an application has committed everything."""


def main(arguments: Sequence[str], token: str) -> int:
    """Executes a command, and returns its exit code. `token` is used unless the command line names a file with one."""
    options = make_parser().parse_args(arguments)
    try:
        if options.token_file is not None:
            token = options.token_file.read().strip()
        code: int = options.act(Server(options.url, token), options)
        return code
    except Refused as refused:
        say(str(refused), file=sys.stderr)
        return COULD_NOT
    except KeyboardInterrupt:
        return 130


def say(*texts: str, file: TextIO | None = None) -> None:
    """Print texts of a server, each on its own line, with nothing that a terminal would obey."""
    print(*map(show_hidden, texts), sep="\n", file=file, flush=True)


def make_parser() -> argparse.ArgumentParser:
    """The command line: the commands that the server has, too (`SHARED`), and those that only ask over HTTP."""
    root_parser = argparse.ArgumentParser(prog="streamwright", description="Ask a Streamwright server over HTTP.")
    root_parser.add_argument("--url", required=True, help="Address of the server.")
    root_parser.add_argument(
        "--token-file", type=argparse.FileType(), help="File with the token. Default: the variable STREAMWRIGHT_TOKEN."
    )
    commands = root_parser.add_subparsers(required=True, metavar="COMMAND")

    def command(
        name: str, act: Callable[[Server, Any], int], about: str, add: Callable[[argparse.ArgumentParser], None]
    ) -> None:
        subparser = commands.add_parser(name, help=about, description=about)
        subparser.set_defaults(act=act)
        add(subparser)

    for name, act in ACTS.items():
        command(name, act, SHARED[name].help, SHARED[name].add_arguments)
    command("guard", guard, "Say what a new schema of a topic does to what reads it.", add_for_guard)
    command("mcp", serve_agents, "Serve agents with the Model Context Protocol on stdin and stdout.", add_for_mcp)
    return root_parser


def add_for_guard(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", help="Name of the topic.")
    parser.add_argument("file", type=argparse.FileType(), help="File with the schema, or - for standard input.")
    kinds = ("AVRO", "PROTOBUF", "JSON")
    parser.add_argument("--kind", choices=kinds, help="Kind of schema. Default: by the ending of the file's name.")
    parser.add_argument("--side", choices=("key", "value"), default="value", help="What the schema is for.")
    parser.add_argument("--subject", default="", help="Its subject. Default: that of the topic, such as orders-value.")
    parser.add_argument("--cluster", default="local", help="Name of the Kafka cluster.")
    parser.add_argument("--json", action="store_true", help="Print the whole answer as JSON.")


def add_for_mcp(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-deploy", action="store_true", help="Let agents deploy and stop jobs without asking their user."
    )


def show_status(server: Server, options: Any) -> int:
    jobs = [server.job(options.job)] if options.job else server.ask("GET", "/jobs")
    live = {each["job"]: each for each in server.ask("GET", "/live")}
    rows = [(job["name"], job["version_number"], live[job["id"]]) for job in jobs if job["id"] in live]
    say(write_jobs_table(rows) if rows else "There is no job yet.")
    if options.job:
        say(write_details(live[jobs[0]["id"]]))
    return 0


def list_alerts(server: Server, options: Any) -> int:
    say(write_alerts_table(server.ask("GET", "/alerts")))
    return 0


def show_why(server: Server, options: Any) -> int:
    job, node = server.job(options.job)["id"], urllib.parse.quote(options.node, safe="")
    say(describe_answer(server.ask("GET", f"/jobs/{job}/why/{node}"), options.node))
    return 0


def watch(server: Server, options: Any) -> int:
    job, before = server.job(options.job)["id"], None
    deadline = time.monotonic() + options.seconds
    while time.monotonic() < deadline:
        state = server.ask("GET", f"/jobs/{job}/live")
        if before is None or is_new(state, before):
            say(*describe_lost(state, before), write_line(state))
            before = state
        time.sleep(WATCH_SECONDS)
    return 0


def describe(server: Server, options: Any) -> int:
    body = {"topology": server.topology(options.topology)["id"], "cluster": options.cluster}
    say(server.ask("POST", "/jobs/preview-deploy", body)["description"])
    return 0


def show_differences(server: Server, options: Any) -> int:
    query = urllib.parse.urlencode({"before": options.before, "after": options.after})
    text = server.ask("GET", f"/topologies/{server.topology(options.topology)['id']}/differences?{query}")["text"]
    if text:
        say(text)
    return 0


def try_cases(server: Server, options: Any) -> int:
    verdicts = server.ask("POST", f"/topologies/{server.topology(options.topology)['id']}/cases/run", {})
    wrong = [each for each in verdicts if each["verdict"] != "passed"]
    for each in wrong:
        say(f"{each['name']}: {each['why']}".rstrip())
        if each["difference"] is not None:
            say(f"  expected {each['difference']['expected'] or 'nothing more'}")
            say(f"  got      {each['difference']['given'] or 'nothing'}")
    say(f"{len(verdicts) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


def deploy(server: Server, options: Any) -> int:
    topology = server.topology(options.topology)
    wish = {
        **_choose_origin(server, topology, options.version_number),
        "name": options.name,
        "settings": dict(options.set),
        "cluster": options.cluster,
        "spark": options.spark,
    }
    if options.preview:
        say(describe_preview(server.ask("POST", "/jobs/preview-deploy", wish)))
        return 0
    body = wish | {"message": options.message} | ({"on_state": options.on_state} if options.on_state else {})
    job = server.ask("POST", "/jobs/deploy", body)
    say(f"Job {job['name']} will run version {job['version_number']} of {topology['name']}.")
    return 0


def _choose_origin(server: Server, topology: Mapping[str, Any], number: str | None) -> Mapping[str, int]:
    """What to deploy: the draft of a topology, or its version of that number. Raises Refused."""
    if number is None:
        return {"topology": topology["id"]}
    ids = {str(each["number"]): each["id"] for each in server.ask("GET", f"/topologies/{topology['id']}/versions")}
    if number not in ids:
        raise Refused(f"`{topology['name']}` has no version `{number}`. Versions: {', '.join(ids) or 'none yet'}.")
    return {"version": ids[number]}


def adopt(server: Server, options: Any) -> int:
    """With `--check`, exits with 1 if the application cannot be adopted as it is now."""
    topology = server.topology(options.topology)
    body = {
        "topology": topology["id"],
        "application": options.application,
        "stores": dict(options.store),
        "name": options.name,
        "settings": dict(options.set),
        "cluster": options.cluster,
        "spark": options.spark,
    }
    if options.compare:
        body["live_seconds"] = options.live
        report = server.ask("POST", "/jobs/compare-adoption", body, seconds=COMPARE_SECONDS + options.live)
        say(describe_comparison(report))
        return int(not report["is_equal"])
    if options.check:
        found = server.ask("POST", "/jobs/preview-adoption", body)
        say(describe_application(found))
        return int(bool(found["problems"]))
    job = server.ask("POST", "/jobs/adopt", body)
    say(f"Job {job['name']} continues {options.application} as version {job['version_number']} of {topology['name']}.")
    return 0


def guard(server: Server, options: Any) -> int:
    """Exits with 1 if records would fail somewhere, or the registry refuses the schema; with 2 if nobody can say."""
    place = "/".join(urllib.parse.quote(each, safe="") for each in (options.cluster, "topics", options.topic, "guard"))
    kind = options.kind or {".proto": "PROTOBUF", ".json": "JSON"}.get(Path(options.file.name).suffix, "AVRO")
    body = {"side": options.side, "kind": kind, "text": _read_schema(options.file), "subject": options.subject}
    report = server.ask("POST", f"/clusters/{place}", body)
    say(json.dumps(report, indent=2) if options.json else describe_report(report))
    if report["breaks"]:
        return FAILS
    return COULD_NOT if report["unjudged"] else 0


def _read_schema(file: TextIO) -> str:
    try:
        text = file.read()
    except UnicodeDecodeError as error:
        raise Refused(
            f"{file.name} is not text in UTF-8. Name the file of a schema: .avsc, .proto or .json."
        ) from error
    if not text.strip():
        raise Refused(f"{file.name} is empty. Name the file of a schema: .avsc, .proto or .json.")
    return text


def stop(server: Server, options: Any) -> int:
    job = server.job(options.job)
    server.ask("POST", f"/jobs/{job['id']}/stop")
    say(f"Job {job['name']} finishes its batch and stops.")
    return 0


def cut_over(server: Server, options: Any) -> int:
    job = server.job(options.job)
    after = server.ask("POST", f"/jobs/{job['id']}/proof/cut-over", {"on_state": options.on_state or "keep"})
    say(f"Version {after['version_number']} takes over in job {job['name']}.")
    return 0


def back(server: Server, options: Any) -> int:
    job = server.job(options.job)
    if options.preview:
        say(describe_cut_over(server.ask("GET", f"/jobs/{job['id']}/cut-over")))
        return 0
    after = server.ask("POST", f"/jobs/{job['id']}/back", {"at_once": options.at_once})
    say(f"Version {after['version_number']} takes over again in job {job['name']}.")
    return 0


def correct(server: Server, options: Any) -> int:
    """Exits with 1 if the corrections could not be prepared or sent."""
    path = f"/jobs/{server.job(options.job)['id']}/correction"
    if options.from_batch is not None:
        body = {"batch": options.from_batch, "topic": options.topic, "tables": options.table}
        server.ask("POST", path, body)
        _wait_for_correction(server, path)
    if options.send:
        server.ask("POST", f"{path}/send", {})
    if options.take_over:
        job = server.ask("POST", f"{path}/take-over", {})
        say(f"Version {job['version_number']} goes on with the corrected state in job {job['name']}.")
        return 0
    correction = _wait_for_correction(server, path)
    say(describe_correction(correction))
    return 1 if correction is None or correction["failure"] else 0


def _wait_for_correction(server: Server, path: str) -> Any:
    while True:
        correction = server.ask("GET", path)
        if correction is None or correction["status"] not in ("preparing", "sending") or correction["failure"]:
            return correction
        time.sleep(WATCH_SECONDS)


def make_case(server: Server, options: Any) -> int:
    body = {"case": options.name, "records": options.record, "batch": options.batch}
    made = server.ask("POST", f"/jobs/{server.job(options.job)['id']}/cases", body)
    say(f"{made['case']['name']} is kept.", *made["notes"])
    return 0


def serve_agents(server: Server, options: Any) -> int:
    from webapp.mcp import make_server  # the SDK loads only here: it takes as long as all other commands

    make_server(server, allow_deploy=options.allow_deploy).run()
    return 0


ACTS: Mapping[str, Callable[[Server, Any], int]] = {
    "status": show_status,
    "alerts": list_alerts,
    "watch": watch,
    "why": show_why,
    "describe": describe,
    "diff": show_differences,
    "try": try_cases,
    "deploy": deploy,
    "adopt": adopt,
    "cut-over": cut_over,
    "back": back,
    "correct": correct,
    "case": make_case,
    "stop": stop,
}
"""What carries out each command of `SHARED`."""
