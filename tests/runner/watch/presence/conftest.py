import pytest

from designer.projects.models import Topology
from designer.projects.services import create_topology
from webapp.accounts.models import User


@pytest.fixture
def topology(user: User) -> Topology:
    return create_topology(name="Flight delays", by=user)
