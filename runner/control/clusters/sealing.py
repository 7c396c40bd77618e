"""Secrets in Postgres, sealed with a key that is elsewhere (Django's, in SECRET_KEY_FILE).

Secrets sealed with an older key can be opened while the file still has that key. Saving seals them again with the
first.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from designer.refusals import Refusal
from runner.control.codes import ControlCode

ON_CLUSTERS = "Enter them again on the page Clusters"


class SecretLost(Refusal):
    """A secret was sealed with a key that this server no longer has."""

    code = ControlCode.CLUSTER_SECRET_LOST
    status = 422


# Sealed with Django's key, which every host has outside Postgres: a database dump or an old plan reveals nothing.
def seal_secrets(secrets: Mapping[str, str]) -> dict[str, str]:
    """Secrets by name, sealed for storage."""
    seal = _seal()
    return {name: seal.encrypt(text.encode()).decode() for name, text in secrets.items()}


def open_secrets(secrets: Mapping[str, str], owner: str, remedy: str = ON_CLUSTERS) -> dict[str, str]:
    """The secrets given to `seal_secrets`. Raises SecretLost with the owner and the remedy."""
    seal = _seal()
    try:
        return {name: seal.decrypt(token.encode()).decode() for name, token in secrets.items()}
    except InvalidToken as error:
        raise SecretLost(
            f"The secrets of {owner} were encrypted with a key that this server does not have.",
            f"{remedy}, or add the old key to the file of SECRET_KEY_FILE.",
        ) from error


def _seal() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return MultiFernet([Fernet(base64.urlsafe_b64encode(_compute_key(key))) for key in keys])


def _compute_key(key: str) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"streamwright clusters").derive(key.encode())
