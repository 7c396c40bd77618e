"""Two people; one of them may change clusters."""

import pytest
from django.core.management import call_command
from django.test import Client

from tests.people import person


@pytest.fixture
def anybody(transactional_db: None) -> Client:
    return signed_in("bob")


@pytest.fixture
def client(transactional_db: None) -> Client:
    client = signed_in("ada")
    call_command("allow_clusters", "ada")
    return client


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(person(name))
    return client
