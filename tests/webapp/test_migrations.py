"""The migrations say what the models are."""

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_no_model_lacks_a_migration() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)
