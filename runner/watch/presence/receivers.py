"""Tells all who have a topology open of each written comment and each saved draft, no matter who wrote it."""

from __future__ import annotations

import contextlib
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from redis.exceptions import RedisError

from designer.projects.models import Comment, Draft
from runner.watch.presence.consumers import CommentsChanged, DraftSaved, Said, name_group


@receiver(post_save, sender=Comment)
def on_comment_saved(instance: Comment, **_: Any) -> None:
    message = CommentsChanged(type="comments_changed")
    transaction.on_commit(lambda: _tell(instance.topology_id, message))


@receiver(post_save, sender=Draft)
def on_draft_saved(instance: Draft, created: bool, **_: Any) -> None:
    if created:  # nobody has the topology open yet
        return
    message = DraftSaved(type="draft_saved", revision=instance.revision)
    transaction.on_commit(lambda: _tell(instance.topology_id, message))


def _tell(topology_id: int, message: CommentsChanged | DraftSaved) -> None:
    """Without Redis, the others see it when they open the topology again."""
    with contextlib.suppress(OSError, RedisError):
        said = Said(type="presence.said", by="", message=message)
        async_to_sync(get_channel_layer().group_send)(name_group(topology_id), said)
