"""Talks to a schema registry by Confluent's API, for runs and for the web. It knows no Django, Spark or engine.

No record waits for it: a reader of records has their schemas already, or suspends a partition until they are there.

- `settings`: the settings that a connection may have, and which ones are secret.
- `registry`: questions to a registry, and the registration of schemas.
- `imports`: the files that a Protobuf schema imports, each a subject of its own.
- `refusals`: the reasons why it does not answer.
"""

from runner.registry.refusals import (
    BadRegistry,
    NotJudged,
    RegistryMissing,
    RegistryNotAllowed,
    RegistryRefused,
    RegistryUnreachable,
    SchemaMissing,
    SchemaUnusable,
)
from runner.registry.registry import Access, Reference, Registered, Registry, Verdict
from runner.registry.settings import SECRETS, SETTINGS, check_settings

__all__ = [
    "SECRETS",
    "SETTINGS",
    "Access",
    "BadRegistry",
    "NotJudged",
    "Reference",
    "Registered",
    "Registry",
    "RegistryMissing",
    "RegistryNotAllowed",
    "RegistryRefused",
    "RegistryUnreachable",
    "SchemaMissing",
    "SchemaUnusable",
    "Verdict",
    "check_settings",
]
