"""Share links: anybody who has one reads one topology, until it expires.

1. An editor makes a link. Its secret is shown once and stored as a digest.
2. The page `/shared#sh_…` sends the secret in a header. A fragment reaches neither logs of servers nor other sites.
3. Each request looks whether the link still holds: it has not expired, nobody revoked it, and its maker may still
   sign in and is still an editor of the project that holds the topology. So a link ends with its maker's rights.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from designer.projects.models import Topology
from designer.projects.permissions import find_roles
from designer.projects.roles import Role
from designer.refusals import Conflict, NotFound, Refusal
from webapp.accounts.models import ShareLink, User
from webapp.accounts.tokens import READABLE_LENGTH, USED_EVERY, hash_token
from webapp.codes import WebCode

BEGINNING = "sh_"
MAX_HOURS = 30 * 24
MAX_LINKS = 20
"""Of one topology."""


class UnknownLink(Refusal):
    """The link does not exist, or no longer does."""

    code = WebCode.SHARED_UNKNOWN
    status = 404

    def __init__(self) -> None:
        super().__init__("This link has expired or was revoked.", "Ask the person who sent it for a new one.")


@transaction.atomic
def create(*, topology: Topology, by: User, hours: int, shows_records: bool = False) -> tuple[ShareLink, str]:
    """A new link with its secret, which is never shown again. Raises Refusal and Conflict.

    Example: `create(topology=orders, by=ann, hours=24)` gives the link and "sh_…".
    """
    if not 0 < hours <= MAX_HOURS:
        raise Refusal(f"A share link lives for 1 to {MAX_HOURS} hours.", "Choose another duration.")
    Topology.objects.select_for_update(no_key=True).get(id=topology.id)
    ShareLink.objects.filter(topology=topology, expires_at__lte=Now()).delete()
    if find_links(topology).count() >= MAX_LINKS:
        raise Conflict(f"The topology has {MAX_LINKS} share links, the maximum.", "Revoke one that you no longer need.")
    text = BEGINNING + secrets.token_urlsafe(32)
    link = ShareLink.objects.create(
        topology=topology,
        begins=text[:READABLE_LENGTH],
        digest=hash_token(text),
        shows_records=shows_records,
        created_by=by,
        expires_at=timezone.now() + timedelta(hours=hours),
    )
    return link, text


def find_links(topology: Topology) -> QuerySet[ShareLink]:
    """The links of a topology that have not expired, newest first."""
    return ShareLink.objects.filter(topology=topology, expires_at__gt=Now()).select_related("created_by")


def revoke(*, topology: Topology, link_id: int) -> None:
    """End a link at once. Raises NotFound."""
    link = ShareLink.objects.filter(topology=topology, id=link_id).first()
    if link is None:
        raise NotFound(f"There is no share link {link_id} of this topology.", "List its links again.")
    link.delete()


def open_link(text: str) -> ShareLink:
    """The link with that secret, while it holds. Raises UnknownLink."""
    links = ShareLink.objects.select_related("created_by", "topology__draft").filter(expires_at__gt=Now())
    link = links.filter(digest=hash_token(text)).first()
    if link is None or not _holds(link):
        raise UnknownLink
    now = timezone.now()
    if link.used_at is None or now - link.used_at > USED_EVERY:
        ShareLink.objects.filter(id=link.id).update(used_at=now)
    return link


def _holds(link: ShareLink) -> bool:
    role = find_roles(link.created_by).get(link.topology.project_id)
    return link.created_by.is_active and role is not None and role >= Role.EDITOR
