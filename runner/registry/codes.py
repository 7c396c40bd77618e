"""Codes of refusals by a schema registry."""

from designer.refusal_codes import RefusalCode


class RegistryCode(RefusalCode):
    """Codes of refusals by a schema registry."""

    REGISTRY_BAD_CONNECTION = ("registry.bad_connection", "The settings cannot connect to a schema registry.")
    REGISTRY_MISSING = ("registry.missing", "The cluster has no schema registry.")
    REGISTRY_UNREACHABLE = ("registry.unreachable", "The schema registry does not answer.")
    REGISTRY_NOT_ALLOWED = ("registry.not_allowed", "The schema registry does not allow its user to do this.")
    REGISTRY_REFUSED = ("registry.refused", "The schema registry did not accept the request.")
    SCHEMA_MISSING = ("schema.missing", "The schema registry has no such subject, version or schema.")
