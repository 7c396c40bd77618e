"""Reasons why a schema registry does not answer, or refuses a request."""

from __future__ import annotations

from designer.refusals import Refusal
from runner.registry.codes import RegistryCode


class BadRegistry(Refusal):
    """The settings cannot connect to any registry. `setting` names the first wrong one."""

    code = RegistryCode.REGISTRY_BAD_CONNECTION
    status = 422


class RegistryMissing(Refusal):
    """The cluster has no schema registry."""

    code = RegistryCode.REGISTRY_MISSING
    status = 422

    def __init__(self, cluster: str) -> None:
        super().__init__(
            f"Cluster `{cluster}` has no schema registry.",
            "An administrator names one on the page Clusters, or in SCHEMA_REGISTRY_URL for the local cluster.",
        )


class RegistryUnreachable(Refusal):
    """The registry did not answer in time, or answered that it cannot serve requests now."""

    code = RegistryCode.REGISTRY_UNREACHABLE
    status = 503


class RegistryNotAllowed(Refusal):
    """The registry does not let this user do it."""

    code = RegistryCode.REGISTRY_NOT_ALLOWED
    status = 403


class RegistryRefused(Refusal):
    """The registry answered, and did not accept the request."""

    code = RegistryCode.REGISTRY_REFUSED
    status = 422


class SchemaUnusable(RegistryRefused):
    """The registry's schema is too large, or refers to itself. It will not become better by another question."""


class NotJudged(RegistryRefused):
    """The registry gives no verdict on a schema that refers to others. Registering it may succeed."""


class SchemaMissing(Refusal):
    """The registry has no such subject, version or schema."""

    code = RegistryCode.SCHEMA_MISSING
    status = 404
