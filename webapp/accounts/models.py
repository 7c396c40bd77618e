"""Users of the product, and the tokens that programs use in their name."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Now

from designer.projects.audit_messages import AuditWords
from designer.projects.roles import Limit, Role


class User(AbstractUser):
    """A user who signs in: with a password, or as the identity at the OpenID Connect provider.

    `limit` holds the limits of the token that signs a request in. It is never stored.
    """

    audit_words = AuditWords(
        fields={"username": "name", "is_active": "may sign in", "is_superuser": "product administrator"},
        untold=frozenset({"last_login", "date_joined", "is_staff"}),
    )
    # Issuer and subject: names and e-mail addresses change hands at a provider. Linking a user with a password by
    # name alone would let anyone at the provider take over.
    identity = models.CharField(max_length=500, blank=True)

    limit: Limit | None = None

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["identity"], condition=~models.Q(identity=""), name="one_user_of_an_identity"
            )
        ]


class ApiToken(models.Model):
    """A program's sign-in, in its user's name. Only a digest is stored, so that no one can read the token.

    It has at most that role, and with `project` only in that project. `begins` are the first characters, by which its
    user recognises it.
    """

    audit_words = AuditWords("token", fields={"expires_at": "ends"}, untold=frozenset({"used_at", "begins"}))
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    begins = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    role = models.PositiveSmallIntegerField(choices=[(role.value, role.word) for role in Role])
    project = models.ForeignKey("designer.Project", on_delete=models.CASCADE, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="one_token_of_a_name")]

    def __str__(self) -> str:
        return self.name


class ShareLink(models.Model):
    """A link with which anybody reads one topology until it expires. Only a digest of its secret is stored.

    It never shows more than `created_by` may read. With `shows_records` it shows the newest records of the topics that
    the running version writes. `begins` are the first characters of the secret, by which its maker recognises it.
    """

    audit_words = AuditWords(
        "share link", fields={"expires_at": "ends", "shows_records": "shows records"}, untold=frozenset({"used_at"})
    )
    topology = models.ForeignKey("designer.Topology", on_delete=models.CASCADE, related_name="share_links")
    begins = models.CharField(max_length=16)
    digest = models.CharField(max_length=64, unique=True)
    shows_records = models.BooleanField(default=False)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="share_links")
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"share link {self.begins}…"
