"""Reference pages, written from the code: operators, functions, settings, commands."""

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NotRequired, get_args, get_origin, get_type_hints

from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue

from webapp.local.places import ROOT

EXAMPLES = ROOT / "docs" / "examples.json"
"""A worked example of each operator, which `tests.docs.examples` takes from its test."""
GENERATED_PAGES = {
    ROOT / "docs" / name
    for name in (
        "architecture.md",
        *(
            f"reference/{page}.md"
            for page in ("operators", "functions", "kernel", "settings", "metrics", "commands", "http")
        ),
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
KERNEL_HEAD = """# Kernel

The kernel, written in Rust, runs a sub-topology if it knows everything in it. The Python engine runs all others, with
the same results. The page of a job says in its Settings and Metrics which engine runs which nodes, and why.

This page is made from the code. Whatever is not on it runs in the Python engine: other processors, formats and
functions, unions, and bytes in JSON. Decimals are added, subtracted, multiplied, compared and aggregated, but for
averages. Whatever else is computed of them runs in Python.

So does a single record that fails, whose result must be rounded, or that holds a value of an unexpected kind. In a
sub-topology with state it takes its batch along, unless it could not be decoded.
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
    "acls": "flight-delays --cluster production --principal User:streamwright",
    "agent": "",
    "alerts": "",
    "allow_clusters": "ann",
    "allow_code": "ann --revoke",
    "adopt": "word-count word-count-app --check",
    "back": "flight-delays --preview",
    "carry-out-proof": "7 2026-11-28T12:00:00+00:00",
    "carry-out-correction": "0b54b3f0-9f4c-4f5e-8d35-6a9d8c7a1f11",
    "case": 'flight-delays "a late flight" flights-0@18811',
    "correct": "flight-delays --from-batch 120 --topic flight-delays-corrections",
    "cut-over": "flight-delays",
    "dead-letters": "flight-delays --node delays",
    "deploy": "my-topology.json --set records_per_batch=50000 --on-state keep",
    "deploy-sample": "",
    "describe": "flight-delays",
    "diff": "flight-delays 3 5",
    "drive": "--run 12",
    "export": "--all topologies",
    "feed": "--rate 2000 --loop",
    "hosts": "--drain worker-2",
    "import": "--all topologies --message 'Merge 214'",
    "load": "customers customers.csv --key id",
    "letters": "flight-delays --node delays",
    "login_url": "http://localhost:8000",
    "mcp": "--url http://localhost:8000",
    "prove": "flight-delays --minutes 30",
    "redrive": "flight-delays --node delays --rate 100",
    "replay": "flight-delays --minutes 30",
    "status": "flight-delays",
    "stop": "flight-delays --wait 60",
    "supervise": "--run 12",
    "try": "my-topology.json",
    "up": "--empty",
    "watch": "flight-delays --seconds 10",
    "why": "flight-delays late",
}
"""Arguments of commands. A test reads each with the parser of its command."""
COMMANDS_HEAD = """# Commands

Run each as `.venv/bin/python manage.py <command>`, on a machine of Streamwright.

From another machine, `streamwright --url http://localhost:8000 status` sends the command to a running product.
It needs a token in `STREAMWRIGHT_TOKEN`. `streamwright --url … --help` lists what it can do.
"""
KINDS = {
    "expression": "expression",
    "milliseconds": "milliseconds",
    "python": "Python",
    "store-name": "letters a-z, digits and `-`",
    "declared-type": "type",
    "string": "text",
    "integer": "integer",
    "number": "number",
    "boolean": "`true`, `false`",
    "array": "list",
    "object": "JSON object",
}
"""The reference's names for formats and types of JSON Schema."""
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
Metrics marked *live* say how a run is now. They have no value for a job whose run sends no numbers.
"""


def make_pages() -> dict[str, str]:
    """The Markdown of each generated page, by its path in the site."""
    import django

    django.setup()
    return {
        "architecture.md": (ROOT / "ARCHITECTURE.md").read_text().replace("](docs/", "]("),
        "reference/operators.md": "\n".join(describe_operators()),
        "reference/functions.md": "\n".join(describe_functions()),
        "reference/kernel.md": "\n".join(describe_kernel()),
        "reference/settings.md": "\n".join(describe_settings()),
        "reference/metrics.md": "\n".join(describe_metrics()),
        "reference/commands.md": "\n".join(describe_commands()),
        "reference/http.md": "\n".join(describe_http()),
    }


def describe_kernel() -> Iterator[str]:
    """What the kernel knows: processors, formats, aggregate functions, expressions and functions."""
    from runner.engine.kernel.expressions import KINDS
    from runner.engine.kernel.operations import FUNCTIONS, list_processors
    from runner.engine.kernel.plan_writer import FORMATS

    source = (ROOT / "runner" / "kernel" / "src" / "functions.rs").read_text()
    table = source.partition("const FUNCTIONS")[2].partition("];")[0]
    yield KERNEL_HEAD
    yield "## Processors\n"
    yield from (f"- `{name}`: {help_}" for name, help_ in list_processors().items())
    for title, names in (
        ("Formats", FORMATS),
        ("Functions of aggregate", FUNCTIONS),
        ("Kinds of expressions", KINDS),
        ("Functions of expressions", re.findall(r'\(\s*"(\w+)",', table)),
    ):
        yield f"\n## {title}\n"
        yield ", ".join(f"`{name}`" for name in names)


def describe_operators() -> Iterator[str]:
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
        yield from _describe_forms(operator.model_json_schema())
        if name in examples:
            yield from _describe_example(name, **examples[name])


def _describe_example(operator: str, test: str, graph: dict[str, Any], steps: list[dict[str, Any]]) -> Iterator[str]:
    """A worked example: the node as JSON, and the output for each record."""
    node = next(each for each in graph["nodes"] if each["operator"] == operator)
    code = node["config"].get("code")
    config = node["config"] | ({"code": "…"} if code else {})
    inputs = {edge["target_port"]: edge["source"] for edge in graph["edges"] if edge["target"] == node["id"]}
    description = {"id": node["id"], "operator": operator, "config": config, "inputs": inputs}
    yield f"**Example**, from `{test}`:\n"
    yield f"```json\n{json.dumps(description)}\n```\n"
    if code:
        yield f"```python\n{code.strip()}\n```\n"
    yield from _write_table(
        ("", "topic", "key", "value", "time"), (row for step in steps for row in _describe_step(**step))
    )


def _describe_step(**step: Any) -> Iterator[tuple[str, ...]]:
    for word, record in (("in", step["in"]), *(("out", each) for each in step["out"])):
        key, value = (f"`{json.dumps(record[side], ensure_ascii=False)}`" for side in ("key", "value"))
        yield f"**{word}**", f"`{record['topic']}`", key, value, str(record["timestamp"])
    yield from (("**log**", "", "", f"`{line}`", "") for line in step["log"])


def describe_functions() -> Iterator[str]:
    """One section for each function of expressions."""
    from designer.expressions.functions import FUNCTIONS

    yield "# Functions\n"
    for name, function in sorted(FUNCTIONS.items()):
        yield f"## {name}\n\n`{function.signature}`\n\n{function.help}\n"
        if function.examples:
            yield "```\n" + "\n".join(function.examples) + "\n```\n"


def describe_settings() -> Iterator[str]:
    """The settings of a job, and the environment variables of the server."""
    from runner.plan import JobSettings
    from webapp.variables import Variables

    yield SETTINGS_HEAD
    yield from _describe_forms(JobSettings.model_json_schema())
    yield "## Environment variables\n"
    rows = (_describe_variable(field) for field in Variables.model_fields.values())
    yield from _write_table(("variable", "meaning", "default"), rows)


def _describe_variable(field: FieldInfo) -> tuple[str, str, str]:
    """A variable, its meaning, and its default: what its description says of it, or the value."""
    meaning, _, default = (field.description or "").partition(" Default: ")
    default = default if ". " in default else default.removesuffix(".")
    value = int(field.default) if isinstance(field.default, bool) else field.default
    text = ",".join(value) if isinstance(value, list) else str(value or "") if value != 0 else "0"
    return f"`{field.validation_alias}`", meaning, default or (f"`{text}`" if text else "none")


def describe_metrics() -> Iterator[str]:
    """The metrics of a job: each with its unit, its meaning and its place."""
    from runner.watch.live.messages import METRICS, Metric

    yield METRICS_HEAD
    for group, message_type in METRICS.items():
        yield f"## {group}\n"
        hints = get_type_hints(message_type, include_extras=True)
        pairs = (
            (name, each) for name, hint in hints.items() for each in _find_annotations(hint) if isinstance(each, Metric)
        )
        rows = ((f"`{name}`", metric.unit, metric.meaning, metric.place) for name, metric in pairs)
        yield from _write_table(("metric", "unit", "meaning", "where to see it"), rows)
    yield from _describe_families()


def _describe_families() -> Iterator[str]:
    """Prometheus' metrics, and their equivalents in Kafka Streams."""
    from runner.watch.prometheus.families import FAMILIES

    yield FAMILIES_HEAD
    rows = (
        (
            f"`{name}`",
            ", ".join(family.labels),
            f"{family.help} *Live.*" if family.is_live else family.help,
            ", ".join(f"`{each}`" for each in family.streams.split(", ") if each),
        )
        for name, family in FAMILIES.items()
    )
    yield from _write_table(("metric", "labels", "meaning", "in Kafka Streams"), rows)


def _find_annotations(hint: Any) -> tuple[Any, ...]:
    """The annotations on the type of a member, which may be `NotRequired`."""
    if get_origin(hint) is NotRequired:
        (hint,) = get_args(hint)
    return getattr(hint, "__metadata__", ())


def describe_commands() -> Iterator[str]:
    """Each command of `manage.py` that is ours, with its help and options."""
    from django.core.management import get_commands, load_command_class

    yield COMMANDS_HEAD
    for name, app in sorted(get_commands().items()):
        if not str(app).startswith(("designer", "runner", "webapp")):
            continue
        parser = load_command_class(str(app), name).create_parser("manage.py", name)
        yield f"## {name}\n\n{parser.description or ''}\n"
        if name in COMMAND_EXAMPLES:
            yield f"```\n{f'.venv/bin/python manage.py {name} {COMMAND_EXAMPLES[name]}'.strip()}\n```\n"
        ours = [action for action in parser._actions if not _is_djangos(action)]
        yield from _write_table(
            ("argument", "meaning"), ((f"`{_name_argument(action)}`", action.help or "") for action in ours)
        )


def _is_djangos(action: argparse.Action) -> bool:
    from django.core.management.base import DjangoHelpFormatter

    return action.dest == "help" or bool(DjangoHelpFormatter.show_last & set(action.option_strings))


def _name_argument(action: argparse.Action) -> str:
    names = ", ".join(action.option_strings) or action.dest
    value = action.metavar or "|".join(action.choices or ())
    return f"{names} {value}".strip()


def describe_http() -> Iterator[str]:
    """Each call of the API, by subject."""
    from designer.refusal_codes import CODES
    from webapp.api import api

    yield HTTP_HEAD
    calls: dict[str, list[tuple[str, ...]]] = {}
    for path, methods in api.get_openapi_schema()["paths"].items():
        for method, call in methods.items():
            for tag in call.get("tags", ["other"]):
                calls.setdefault(tag, []).append((f"`{method.upper()} {path}`", call.get("summary", "")))
    for tag, rows in sorted(calls.items()):
        yield f"## {tag.capitalize()}\n"
        yield from _write_table(("call", "what it does"), rows)
    yield CODES_HEAD
    yield from _write_table(("code", "meaning"), ((f"`{code}`", code.meaning) for _, code in sorted(CODES.items())))


def _describe_forms(schema: JsonSchemaValue) -> Iterator[str]:
    """A table of the fields of a form, then one for each form that it contains."""
    yield from _describe_fields(schema)
    for name, shape in schema["properties"].items():
        if inner := _find_inner(schema, shape):
            yield f"**Each of `{name}`:** {inner['description']}\n"
            yield from _describe_fields(inner)


def _find_inner(schema: JsonSchemaValue, shape: JsonSchemaValue) -> JsonSchemaValue | None:
    for each in (shape, *shape.get("anyOf", ())):
        if reference := each.get("items", each).get("$ref"):
            inner: JsonSchemaValue = schema["$defs"][reference.rpartition("/")[2]]
            return inner if "properties" in inner else None
    return None


def _describe_fields(schema: JsonSchemaValue) -> Iterator[str]:
    required = schema.get("required", ())
    rows = (
        (
            f"`{name}`",
            _explain(shape),
            _describe_values(shape),
            "required" if name in required else _describe_default(shape),
        )
        for name, shape in schema["properties"].items()
    )
    yield from _write_table(("field", "meaning", "values", "default"), rows)


def _explain(shape: JsonSchemaValue) -> str:
    """The meaning of a field, and when it applies."""
    parts = [shape.get("description", "")]
    if way := shape.get("way"):
        parts.append(f"One way to fill in the form: *{way}*.")
    for name, values in shape.get("shown", {}).items():
        words = ", ".join("nothing" if value is None else f"`{_write_json(value)}`" for value in values)
        parts.append(f"Only with `{name}`: {words}.")
    return " ".join(part for part in parts if part)


def _describe_values(shape: JsonSchemaValue) -> str:
    """The values that a field may have: its choices, or its type with its unit and range."""
    kind = next((each for each in shape.get("anyOf", ()) if each.get("type") != "null"), shape)
    if choices := kind.get("enum"):
        return ", ".join(f"`{_write_json(choice)}`" for choice in choices)
    word = KINDS.get(kind.get("format", ""), KINDS.get(kind.get("type", ""), ""))
    if kind.get("type") in ("integer", "number"):
        word += _describe_range(kind.get("minimum"), kind.get("maximum"))
    return word


def _describe_range(least: float | None, most: float | None) -> str:
    match least, most:
        case None, None:
            return ""
        case _, None:
            return f" from {least:,}"
        case None, _:
            return f" up to {most:,}"
        case _:
            return f" from {least:,} to {most:,}"


def _describe_default(shape: JsonSchemaValue) -> str:
    if means := shape.get("empty_means"):
        return f"empty: {means}"
    default = shape.get("default")
    return "" if default in (None, "", [], {}) else f"`{_write_json(default)}`"


def _write_json(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _write_table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    lines = ["| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in row) + " |" for row in rows]
    if lines:
        yield "\n".join(["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads), *lines]) + "\n"
