"""Receivers of messages, and channels to them."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import Permission

from runner.watch.alerts.models import Channel, Form
from runner.watch.alerts.services import add_channel
from tests.runner.watch.alerts.receivers import Hook, MailServer, serving
from webapp.accounts.models import User


@pytest.fixture
def admin(user: User) -> User:
    user.user_permissions.add(Permission.objects.get(codename="manage_clusters"))
    return User.objects.get(id=user.id)  # with fresh permissions


@pytest.fixture
def hook() -> Iterator[Hook]:
    server = Hook()
    with serving(server):
        yield server


@pytest.fixture
def mail() -> Iterator[MailServer]:
    server = MailServer()
    with serving(server):
        yield server


@pytest.fixture
def channel(admin: User, hook: Hook) -> tuple[Channel, str]:
    """A webhook, and the key of its signatures."""
    return add_channel(name="on call", form=Form.WEBHOOK, address=hook.url, is_internal=True, by=admin)
