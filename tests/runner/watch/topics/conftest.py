"""The signed-in user may also change clusters, and so topics that no job uses."""

import pytest
from django.contrib.auth.models import Permission

from webapp.accounts.models import User


@pytest.fixture
def user(user: User) -> User:
    user.user_permissions.add(Permission.objects.get(codename="manage_clusters"))
    return User.objects.get(pk=user.pk)
