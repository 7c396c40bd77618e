"""What the provider of the tests says of people and clients."""

from __future__ import annotations

from typing import Any

from allauth.idp.oidc.adapter import DefaultOIDCAdapter


class Claims(DefaultOIDCAdapter):  # type: ignore[misc]  # allauth has no types
    """Says the groups of people, and of a client who it is, as Keycloak does."""

    def get_claims(self, purpose: Any, user: Any, client: Any, scopes: Any, **rest: Any) -> dict[str, Any]:
        claims: dict[str, Any] = super().get_claims(purpose, user, client, scopes, **rest)
        if user.username == "nameless":
            claims = {"sub": claims["sub"]}
        return claims | {"groups": [f"/{group.name}" for group in user.groups.all()]}

    def populate_access_token(self, access_token: dict[str, Any], *, client: Any, **rest: Any) -> None:
        access_token.setdefault("sub", client.id)
        access_token.setdefault("aud", "kafka")
