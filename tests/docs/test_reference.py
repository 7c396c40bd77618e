"""The pages made from the code name what the code has."""

import pytest

from designer.catalogue import catalogue
from tests.docs.pages import ROOT
from webapp.docs.reference import GENERATED, generated_pages


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return generated_pages()


def test_every_operator_has_a_section(pages: dict[str, str]):
    sections = pages["reference/operators.md"].splitlines()

    assert catalogue()
    assert [name for name in catalogue() if f"## {name}" not in sections] == []


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("functions", "## coalesce"),
        ("settings", "`batch_interval_ms`"),
        ("settings", "`KAFKA_BOOTSTRAP_SERVERS`"),
        ("commands", "`--on-state`"),
    ],
)
def test_a_page_names(page: str, text: str, pages: dict[str, str]):
    assert text in pages[f"reference/{page}.md"]


def test_options_of_django_are_left_out(pages: dict[str, str]):
    assert "--traceback" not in pages["reference/commands.md"]


def test_links_may_lead_to_every_page(pages: dict[str, str]):
    assert {ROOT / "docs" / page for page in pages} == GENERATED
