"""Reference pages, written from the code: operators, functions, settings, commands."""

import argparse
import json
from collections.abc import Iterable, Iterator
from typing import Any, NotRequired, get_args, get_origin, get_type_hints

from webapp.local.places import ROOT

EXAMPLES = ROOT / "docs" / "examples.json"
"""A worked example of each operator, which `tests.docs.examples` takes from its test."""
GENERATED_PAGES = {
    ROOT / "docs" / name
    for name in (
        "architecture.md",
        *(f"reference/{page}.md" for page in ("operators", "functions", "settings", "metrics", "commands", "http")),
    )
}
"""Pages that exist only in the site. `make docs` checks links to them."""
HTTP_HEAD = """# HTTP

A running product describes its API at `/api/openapi.json`. Every other call needs a token or a session.
The page Tokens makes tokens for programs. Each acts in the name of its user, and ends by itself.

**Example:** list the jobs.

```
curl -H "Authorization: Bearer $STREAMWRIGHT_TOKEN" http://localhost:8000/api/jobs
```

`streamwright --url http://localhost:8000 status` asks the same. `streamwright --url … --help` lists its commands.

A refused call answers with a status of 400 or more, and says what to do:

```json
{"code": "job.still_runs", "message": "Job `flight-delays` is running.", "hint": "Stop it first."}
```

[Codes](#codes) lists what `code` can be.

With a session, a call that changes something needs the header `X-CSRFToken` with the value of the cookie `csrftoken`.
"""
CODES_HEAD = """## Codes

A refusal has one of these codes. So has the `failure` of a run, and the `problem` of a job.
The codes of issues of a topology are in `/api/openapi.json`, as `IssueCode`.
"""
SETTINGS_HEAD = """# Settings

## Settings of a job

The deploy dialog shows these fields, and `manage.py deploy` takes them as `--set NAME=VALUE`.
"""
COMMAND_EXAMPLES = {
    "allow_clusters": "ann",
    "allow_code": "ann --revoke",
    "deploy": "my-topology.json --set records_per_batch=50000 --on-state keep",
    "describe": "flight-delays",
    "diff": "flight-delays 3 5",
    "export": "--all topologies",
    "feed": "--rate 2000 --loop",
    "import": "--all topologies --message 'Merge 214'",
    "load": "customers customers.csv --key id",
    "letters": "flight-delays --node delays",
    "login_url": "http://localhost:8000",
    "redrive": "flight-delays --node delays --rate 100",
    "status": "flight-delays",
    "stop": "flight-delays --wait 60",
    "try": "my-topology.json",
    "up": "--empty",
    "watch": "flight-delays --seconds 10",
    "why": "flight-delays late",
}
"""Arguments of commands; a test reads each with the parser of its command."""
METRICS_HEAD = """# Metrics

A job reports these numbers about once a second. The page shows them.
The websocket and `/api/jobs/<id>/live` give them as JSON.
`/api/jobs/<id>/history` gives the last hour of some, one point every 2 s.

Counts begin with the run. Of each node, in + extra = out + dropped + errors + no result + waiting.

```json
{"numbers": {"rate": 5012.4, "lag": 120, "nodes": {"late-flights": {"in": 90210, "out": 17333, "dropped": 0}}}}
```
"""


FAMILIES_HEAD = """## For Prometheus

`/metrics` gives these ([Watch with Prometheus](../how-to/prometheus.md)).
Counters end with `_total` and begin again with each run.
The label `application` is the job's application id.
"""


def generate_pages() -> dict[str, str]:
    """The Markdown of each generated page, by its path in the site."""
    import django

    django.setup()
    return {
        "architecture.md": (ROOT / "ARCHITECTURE.md").read_text().replace("](docs/", "]("),
        "reference/operators.md": "\n".join(operators()),
        "reference/functions.md": "\n".join(functions()),
        "reference/settings.md": "\n".join(settings()),
        "reference/metrics.md": "\n".join(metrics()),
        "reference/commands.md": "\n".join(commands()),
        "reference/http.md": "\n".join(http()),
    }


def operators() -> Iterator[str]:
    """One section for each operator of the catalogue: help, ports and form."""
    import runner.engine.operators  # noqa: F401  (fills the catalogue)
    from designer.topology.catalogue import get_catalogue

    examples = json.loads(EXAMPLES.read_text())
    yield "# Operators\n"
    for name, operator in sorted(get_catalogue().items()):
        yield f"## {name}\n\n{operator.help()}\n"
        for word, ports in (("In", operator.get_declared_inputs()), ("Out", operator.get_declared_outputs())):
            if ports:
                yield f"**{word}:** {', '.join(f'`{port}`' for port in ports)}\n"
        yield from _fields(operator.model_json_schema()["properties"])
        if name in examples:
            yield from _example(name, **examples[name])


def _example(operator: str, test: str, graph: dict[str, Any], steps: list[dict[str, Any]]) -> Iterator[str]:
    """A worked example: the node as JSON, and what is written for each record."""
    node = next(each for each in graph["nodes"] if each["operator"] == operator)
    code = node["config"].get("code")
    config = node["config"] | ({"code": "…"} if code else {})
    inputs = {edge["target_port"]: edge["source"] for edge in graph["edges"] if edge["target"] == node["id"]}
    description = {"id": node["id"], "operator": operator, "config": config, "inputs": inputs}
    yield f"**Example**, from `{test}`:\n"
    yield f"```json\n{json.dumps(description)}\n```\n"
    if code:
        yield f"```python\n{code.strip()}\n```\n"
    yield from _rows(("", "topic", "key", "value", "time"), (row for step in steps for row in _step(**step)))


def _step(**step: Any) -> Iterator[tuple[str, ...]]:
    for word, record in (("in", step["in"]), *(("out", each) for each in step["out"])):
        key, value = (f"`{json.dumps(record[side], ensure_ascii=False)}`" for side in ("key", "value"))
        yield f"**{word}**", f"`{record['topic']}`", key, value, str(record["timestamp"])
    yield from (("**log**", "", "", f"`{line}`", "") for line in step["log"])


def functions() -> Iterator[str]:
    """One section for each function that expressions may call."""
    from designer.expressions.functions import FUNCTIONS

    yield "# Functions\n"
    for name, function in sorted(FUNCTIONS.items()):
        yield f"## {name}\n\n`{function.signature}`\n\n{function.help}\n"
        if function.examples:
            yield "```\n" + "\n".join(function.examples) + "\n```\n"


def settings() -> Iterator[str]:
    """The settings of a job, and the environment variables of the server."""
    from runner.plan import JobSettings
    from webapp.variables import Variables

    yield SETTINGS_HEAD
    yield from _fields(JobSettings.model_json_schema()["properties"])
    yield "## Environment variables\n"
    yield from _rows(
        ("variable", "meaning"),
        ((f"`{field.validation_alias}`", field.description or "") for field in Variables.model_fields.values()),
    )


def metrics() -> Iterator[str]:
    """What a job reports of itself: each metric with its unit, its meaning and where it is seen."""
    from runner.watch.live.messages import METRICS, Metric

    yield METRICS_HEAD
    for group, message_type in METRICS.items():
        yield f"## {group}\n"
        hints = get_type_hints(message_type, include_extras=True)
        pairs = (
            (name, each) for name, hint in hints.items() for each in _annotations(hint) if isinstance(each, Metric)
        )
        rows = ((f"`{name}`", metric.unit, metric.meaning, metric.place) for name, metric in pairs)
        yield from _rows(("metric", "unit", "meaning", "where to see it"), rows)
    yield from _families()


def _families() -> Iterator[str]:
    """What Prometheus reads, and what Kafka Streams calls the same."""
    from runner.watch.prometheus.families import FAMILIES

    yield FAMILIES_HEAD
    rows = (
        (
            f"`{name}`",
            ", ".join(family.labels),
            family.help,
            ", ".join(f"`{each}`" for each in family.streams.split(", ") if each),
        )
        for name, family in FAMILIES.items()
    )
    yield from _rows(("metric", "labels", "meaning", "in Kafka Streams"), rows)


def _annotations(hint: Any) -> tuple[Any, ...]:
    """What annotates the type of a member, which may be `NotRequired`."""
    if get_origin(hint) is NotRequired:
        (hint,) = get_args(hint)
    return getattr(hint, "__metadata__", ())


def commands() -> Iterator[str]:
    """Each command of `manage.py` that is ours, with its help and options."""
    from django.core.management import get_commands, load_command_class

    yield "# Commands\n\nRun each as `.venv/bin/python manage.py <command>`.\n"
    for name, app in sorted(get_commands().items()):
        if not str(app).startswith(("designer", "runner", "webapp")):
            continue
        parser = load_command_class(str(app), name).create_parser("manage.py", name)
        yield f"## {name}\n\n{parser.description or ''}\n"
        if arguments := COMMAND_EXAMPLES.get(name):
            yield f"```\n.venv/bin/python manage.py {name} {arguments}\n```\n"
        ours = [action for action in parser._actions if not _is_djangos(action)]
        yield from _rows(("argument", "meaning"), ((f"`{_spell(action)}`", action.help or "") for action in ours))


def _is_djangos(action: argparse.Action) -> bool:
    from django.core.management.base import DjangoHelpFormatter

    return action.dest == "help" or bool(DjangoHelpFormatter.show_last & set(action.option_strings))


def _spell(action: argparse.Action) -> str:
    names = ", ".join(action.option_strings) or action.dest
    value = action.metavar or "|".join(action.choices or ())
    return f"{names} {value}".strip()


def http() -> Iterator[str]:
    """Each call of the API, by what it is about."""
    from designer.refusal_codes import RefusalCode
    from webapp.api import api

    yield HTTP_HEAD
    calls: dict[str, list[tuple[str, ...]]] = {}
    for path, methods in api.get_openapi_schema()["paths"].items():
        for method, call in methods.items():
            for tag in call.get("tags", ["other"]):
                calls.setdefault(tag, []).append((f"`{method.upper()} {path}`", call.get("summary", "")))
    for tag, rows in sorted(calls.items()):
        yield f"## {tag.capitalize()}\n"
        yield from _rows(("call", "what it does"), rows)
    yield CODES_HEAD
    yield from _rows(("code", "meaning"), ((f"`{code}`", code.meaning) for code in RefusalCode))


def _fields(properties: dict[str, Any]) -> Iterator[str]:
    rows = ((f"`{name}`", shape.get("description", ""), _default(shape)) for name, shape in properties.items())
    yield from _rows(("field", "meaning", "default"), rows)


def _default(shape: dict[str, Any]) -> str:
    default = shape.get("default")
    return "" if default in (None, "") else f"`{default}`"


def _rows(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    lines = ["| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in row) + " |" for row in rows]
    if lines:
        yield "\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *lines]) + "\n"
