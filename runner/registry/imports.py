"""The files that a Protobuf schema imports, as subjects of their own.

A registry keeps each file as a version of a subject, and a schema names the versions that it imports. As Confluent's
serializer does it (`DefaultReferenceSubjectNameStrategy`), the subject of a file is the path under which it is
imported. An imported file is registered before those that import it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from designer import protobuf
from designer.values.schemas import SchemaText
from runner.registry.refusals import NotJudged, RegistryUnreachable, SchemaMissing
from runner.registry.registry import Reference, Registry, Verdict


class ImportedFile(NamedTuple):
    """A file that a schema imports, directly or through others.

    `version` is the one of the subject `path` that has this file, None if none has. `verdict` is what the registry then
    says of the file, None if it cannot say it, or not before other files are registered.
    """

    path: str
    schema: SchemaText
    imports: tuple[str, ...]
    version: int | None = None
    verdict: Verdict | None = None


def find_imports(registry: Registry, schema: SchemaText) -> list[ImportedFile]:
    """The files that a schema imports, each after those that it imports itself. Registers nothing.

    Raises SchemaNotRead.
    """
    texts, found = dict(schema.references), dict[str, ImportedFile]()
    for path, imports in list_imports(schema).items():
        if path not in texts:  # the schema itself comes last
            continue
        file = ImportedFile(path, SchemaText(schema.kind, texts[path]), imports)
        references = make_references(found.values(), imports)
        if references is not None:
            known = registry.find(path, file.schema, references)
            file = file._replace(version=known and known.version)
            if known is None:
                with suppress(NotJudged):
                    file = file._replace(verdict=registry.judge(path, file.schema, references))
        found[path] = file
    return list(found.values())


def make_references(
    files: Iterable[ImportedFile], imports: Iterable[str] | None = None
) -> tuple[Reference, ...] | None:
    """The references to imported files, by default to all. None if the registry lacks one of them."""
    versions = {file.path: file.version for file in files}
    wanted = list(versions if imports is None else imports)
    if any(versions[path] is None for path in wanted):
        return None
    return tuple(Reference(path, path, versions[path] or 0) for path in wanted)


def find_direct(schema: SchemaText) -> tuple[str, ...]:
    """The paths that the schema itself imports. Raises SchemaNotRead."""
    return list(list_imports(schema).values())[-1]


def register_imports(registry: Registry, files: Iterable[ImportedFile]) -> list[ImportedFile]:
    """Registers the files that the registry lacks, in their order, and returns all with their versions.

    A file that its subject has already keeps its version, so this may be repeated.
    """
    known: list[ImportedFile] = []
    for file in files:
        if file.version is None:
            references = make_references(known, file.imports) or ()
            registry.register(file.path, file.schema, references)
            found = registry.find(file.path, file.schema, references)
            if found is None:  # a registry with followers may answer late
                raise RegistryUnreachable(
                    f"The schema registry of `{registry.name}` does not show the file {file.path} yet.",
                    "It is tried again.",
                )
            file = file._replace(version=found.version)
        known.append(file)
    return known


def judge_with_imports(registry: Registry, subject: str, schema: SchemaText) -> Verdict | None:
    """Whether a subject accepts a schema as its next version. None if the registry lacks a file that it imports.

    What an Avro schema or JSON Schema refers to is taken from the newest version. Raises SchemaNotRead.
    """
    if not schema.references:
        return registry.judge(subject, schema)
    if schema.kind == "PROTOBUF":
        references = make_references(find_imports(registry, schema), find_direct(schema))
        return None if references is None else registry.judge(subject, schema, references)
    try:
        latest = registry.version(subject)
    except SchemaMissing:  # a first version follows none
        return Verdict(True, registry.level(subject))
    return registry.judge(subject, schema, registry.list_references(subject, latest.version))


def list_imports(schema: SchemaText) -> Mapping[str, tuple[str, ...]]:
    """What each file imports of the others, each after those that it imports; the schema itself is the last."""
    texts = dict(schema.references)
    main = protobuf.parse(protobuf.inline_references(schema)).main
    found: dict[str, tuple[str, ...]] = {}

    def add(file: protobuf.FileDescriptor) -> None:
        if file.name not in found and (file.name in texts or file is main):
            for imported in file.dependencies:
                add(imported)
            found[file.name] = tuple(each.name for each in file.dependencies if each.name in texts)

    add(main)
    return found
