"""The pages made from the code name what the code has."""

import re
import shlex
from typing import get_type_hints

import pytest
from django.core.management import get_commands, load_command_class

from designer.topology.catalogue import get_catalogue
from runner.watch.live.messages import METRICS
from tests.docs.pages import ROOT
from webapp.docs.reference import COMMAND_EXAMPLES, GENERATED_PAGES, make_pages
from webapp.variables import Variables


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return make_pages()


def test_every_operator_has_a_section(pages: dict[str, str]):
    sections = pages["reference/operators.md"].splitlines()

    assert get_catalogue()
    assert [name for name in get_catalogue() if f"## {name}" not in sections] == []


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("operators", "**Each of `functions`:**"),
        ("operators", "`count`, `sum`, `avg`"),
        ("operators", "Only with `function`: `top_n`, `last_n`."),
        ("operators", "milliseconds from 1 to"),
        ("operators", "empty: the name of the node"),
        ("functions", "## coalesce"),
        ("settings", "`batch_interval_ms`"),
        ("settings", "`KAFKA_BOOTSTRAP_SERVERS`"),
        ("commands", "`--on-state keep"),
        ("http", "`GET /api/jobs`"),
        ("http", "| `run.stuck` |"),
        ("metrics", "| `waiting_s` | s |"),
    ],
)
def test_a_page_names(page: str, text: str, pages: dict[str, str]):
    assert text in pages[f"reference/{page}.md"]


def test_every_form_within_a_form_has_a_table(pages: dict[str, str]):
    page = pages["reference/operators.md"]
    fields = {
        field
        for operator in get_catalogue().values()
        for inner in operator.model_json_schema().get("$defs", {}).values()
        for field in inner.get("properties", {})
    }

    assert fields
    assert [field for field in fields if f"| `{field}` |" not in page] == []


def test_the_summary_of_a_call_is_not_the_name_of_its_function(pages: dict[str, str]):
    calls = re.findall(r"^\| `[A-Z]+ /api.*\| (.*) \|$", pages["reference/http.md"], re.MULTILINE)

    assert len(calls) > 100
    assert [call for call in calls if re.fullmatch(r"(?:[A-Z][a-z]+ )*[A-Z][a-z]+", call)] == []


def test_every_command_has_an_example():
    ours = {name for name, app in get_commands().items() if str(app).startswith(("designer", "runner", "webapp"))}

    assert ours == set(COMMAND_EXAMPLES)


def test_every_argument_of_a_command_says_what_it_means(pages: dict[str, str]):
    rows = re.findall(r"^\| (`.+`) \| (.*) \|$", pages["reference/commands.md"], re.MULTILINE)

    assert len(rows) > 50
    assert [argument for argument, meaning in rows if not meaning] == []


def test_every_environment_variable_says_what_it_means_and_what_counts_without_it(pages: dict[str, str]):
    _, _, table = pages["reference/settings.md"].partition("## Environment variables")
    rows = {name: rest for name, *rest in re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \|$", table, re.MULTILINE)}

    assert len(rows) == len(Variables.model_fields)
    assert all(meaning and default for meaning, default in rows.values())
    assert [rows[name][1] for name in ("EMAIL_PORT", "HTTPS", "OIDC_SCOPES", "SPARK_CHECKPOINTS", "EMAIL_USER")] == [
        "`587`",
        "`0`",
        "`openid,profile,email`",
        "STREAMWRIGHT_CHECKPOINTS",
        "none",
    ]


def test_options_of_django_are_left_out(pages: dict[str, str]):
    assert "--traceback" not in pages["reference/commands.md"]


def test_links_may_lead_to_every_page(pages: dict[str, str]):
    assert {ROOT / "docs" / page for page in pages} == GENERATED_PAGES


@pytest.mark.parametrize("group", METRICS)
def test_every_number_of_a_job_says_what_it_means(group: str, pages: dict[str, str]):
    hints = get_type_hints(METRICS[group], include_extras=True)
    nested = {"run", "generation", "state", "recent", "batch", "nodes", "sources"}
    section = pages["reference/metrics.md"].partition(f"## {group}\n")[2].partition("\n## ")[0]

    assert [name for name in hints if name not in nested and f"| `{name}` |" not in section] == []


def test_the_page_shows_metrics_under_the_labels_that_the_reference_names(pages: dict[str, str]):
    screens = "".join(file.read_text() for file in sorted((ROOT / "frontend/src").rglob("*.ts*")))
    rows = re.findall(r"^\| `.*\| (.*) \|$", pages["reference/metrics.md"], re.MULTILINE)
    labels = {label for seen in rows for label in re.findall(r"\(([^)]+)\)", seen)}

    assert len(labels) > 15
    assert [label for label in sorted(labels) if not re.search(rf"[\"> ]{label}[\"<\s]", screens)] == []


@pytest.mark.parametrize("name", COMMAND_EXAMPLES)
def test_the_example_of_a_command_is_understood_by_it(name: str):
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)

    assert vars(parser.parse_args(shlex.split(COMMAND_EXAMPLES[name])))
