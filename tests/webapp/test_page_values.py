"""The page takes limits and closed lists from the server; nothing writes them a second time."""

from pathlib import Path

import pytest

from webapp.accounts.api import TokenIn
from webapp.accounts.people_api import UserIn
from webapp.page_values import MAX_LENGTHS, VALUES, find_max_length, write_typescript

ROOT = Path(__file__).parents[2]


def test_the_page_has_the_values_of_the_server():
    assert (ROOT / "frontend/src/api/values.ts").read_text() == write_typescript(), "Run `make types`."


def test_every_limit_of_length_is_used():
    files = [path for path in (ROOT / "frontend/src").rglob("*.ts*") if path.name != "values.ts"]
    page = "\n".join(path.read_text() for path in files)

    assert [name for name in MAX_LENGTHS if f"MAX_LENGTHS.{name}" not in page] == []
    assert [name for name in VALUES if name not in page] == []


def test_a_limit_is_read_from_the_field_that_states_it():
    assert find_max_length(UserIn, "name") == 150
    with pytest.raises(LookupError, match=r"TokenIn\.days"):
        find_max_length(TokenIn, "days")
