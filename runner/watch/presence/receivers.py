"""Tells all who have a topology open of each written comment, no matter who wrote it."""

from __future__ import annotations

import contextlib
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from redis.exceptions import RedisError

from designer.projects.models import Comment
from runner.watch.presence.consumers import CommentsChanged, Said, name_group


@receiver(post_save, sender=Comment)
def on_comment_saved(instance: Comment, **_: Any) -> None:
    transaction.on_commit(lambda: _tell(instance.topology_id))


def _tell(topology_id: int) -> None:
    """Without Redis, the others see it when they open the topology again."""
    message = CommentsChanged(type="comments_changed")
    with contextlib.suppress(OSError, RedisError):
        said = Said(type="presence.said", by="", message=message)
        async_to_sync(get_channel_layer().group_send)(name_group(topology_id), said)
