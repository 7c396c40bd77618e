"""What lies in Postgres says nothing without the server's key."""

import pytest
from django.test import override_settings

from runner.control.clusters.sealing import SecretLost, open_secrets, seal_secrets

SECRETS = {"sasl.password": "lovelace", "ssl.key.pem": "-----BEGIN"}


def test_what_is_sealed_is_opened_again_and_cannot_be_read():
    kept = seal_secrets(SECRETS)

    assert open_secrets(kept, "cluster `orders`") == SECRETS
    assert "lovelace" not in str(kept)
    assert seal_secrets(SECRETS) != kept


def test_a_new_key_opens_what_an_older_one_sealed_as_long_as_that_is_known():
    with override_settings(SECRET_KEY="old", SECRET_KEY_FALLBACKS=[]):
        kept = seal_secrets(SECRETS)

    with override_settings(SECRET_KEY="new", SECRET_KEY_FALLBACKS=["old"]):
        assert open_secrets(kept, "cluster `orders`") == SECRETS


def test_a_lost_key_is_said_with_the_cluster_and_the_next_step():
    with override_settings(SECRET_KEY="old", SECRET_KEY_FALLBACKS=[]):
        kept = seal_secrets(SECRETS)

    with pytest.raises(SecretLost) as refusal:
        open_secrets(kept, "cluster `orders`")

    assert refusal.value.message == (
        "The secrets of cluster `orders` were encrypted with a key that this server does not have."
    )
    assert "Enter them again" in refusal.value.hint
