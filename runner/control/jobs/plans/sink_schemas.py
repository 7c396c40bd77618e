"""The schemas that a deploy takes from the registry for its sinks, and what the registry says about them beforehand.

Facts and previews only ask. `register` is the only function here that changes a registry, and `epochs.commit` is its
only caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from typing_extensions import TypedDict

from designer import protobuf
from designer.avro.text import load
from designer.issues import SchemaNotRead
from designer.refusals import Refusal
from designer.streams.flows import NodeFlows
from designer.streams.formats import find_schema_format, fits, inline_references
from designer.streams.registering import KINDS, RegistryUse
from designer.streams.topics import WritesTopic, make_misfit
from designer.values.schemas import SchemaText, WrittenSchema
from runner.control.codes import ControlCode
from runner.registry import (
    NotJudged,
    Reference,
    Registered,
    Registry,
    RegistryMissing,
    RegistryUnreachable,
    SchemaMissing,
    Verdict,
)
from runner.registry.imports import ImportedFile, find_direct, find_imports, make_references, register_imports

Does = Literal["registers", "finds", "takes"]
"""What a deploy does: it registers a new version, finds the schema in its subject, or takes one of the registry."""
Key = tuple[str, str, str, str]
"""Node, topic, side and record of a schema."""


class SchemasRefused(Refusal):
    """The registry does not accept the schemas with which a sink would write."""

    code = ControlCode.DEPLOY_SCHEMAS_REFUSED
    status = 409


class ImportedFileOut(TypedDict):
    """A file that a Protobuf schema imports: its path, which is also its subject, and its version there.

    `version` is null until a deploy registers the file.
    """

    path: str
    version: int | None


class SinkSchemaOut(TypedDict):
    """A schema with which a sink would write the keys or values of a topic, and what the schema registry says of it.

    A deploy registers it, finds it in its subject, or takes one of the registry, as the sink's form says. `version` and
    `id` are null until it is registered. `level` is the compatibility level that counts for the subject, empty if the
    registry judges the schema only when its imports, or the schema itself, are registered. A deploy is refused if there
    is a `problem`; `field` is the field of the schema that fails, `reasons` are the registry's own.
    """

    node: str
    topic: str
    side: Literal["key", "value"]
    record: str
    does: Does
    subject: str
    version: int | None
    id: int | None
    type: str
    text: str
    level: str
    reasons: list[str]
    imports: list[ImportedFileOut]
    field: str
    problem: str
    hint: str


@dataclass(frozen=True)
class SinkSchema:
    """A schema with which a sink will write. `found` is what the registry has of it, None if a deploy registers it.

    `problem` says why a deploy is refused, and `field` at which field of the schema, as far as that is known.
    `compatibility` is the registry's own answer for a schema that would be registered, None if it gives one only
    when the files that the schema imports, or the schema itself, are registered. `imports` are these files.
    """

    node: str
    use: RegistryUse
    does: Does
    subject: str
    schema: SchemaText
    found: WrittenSchema | None = None
    compatibility: Verdict | None = None
    imports: tuple[ImportedFile, ...] = ()
    problem: str = ""
    hint: str = ""
    field: str = ""

    @property
    def key(self) -> Key:
        return self.node, self.use.topic, self.use.side, self.use.record

    def to_json(self) -> SinkSchemaOut:
        return {
            "node": self.node,
            "topic": self.use.topic,
            "side": self.use.side,
            "record": self.use.record,
            "does": self.does,
            "subject": self.subject,
            "version": self.found.version if self.found else None,
            "id": self.found.id if self.found else None,
            "type": self.schema.kind,
            "text": self.schema.text,
            "level": self.compatibility.level if self.compatibility else "",
            "reasons": list(self.compatibility.reasons) if self.compatibility else [],
            "imports": [{"path": file.path, "version": file.version} for file in self.imports],
            "field": self.field,
            "problem": self.problem,
            "hint": self.hint,
        }


@dataclass(frozen=True)
class SinkSchemas:
    """The schemas of all sinks. `kept` come from the plan before, without a question to the registry."""

    asked: tuple[SinkSchema, ...] = ()
    kept: tuple[WrittenSchema, ...] = ()
    refusal: Refusal | None = None
    """Why the registry could not be asked."""

    @property
    def known(self) -> list[WrittenSchema]:
        """The written schemas whose ids are known before the deploy."""
        return [*self.kept, *(each.found for each in self.asked if each.found is not None)]

    def differ_from(self, written: Iterable[WrittenSchema]) -> bool:
        """Whether a run with them would write with other ids."""
        ids = {(each.node, each.topic, each.side, each.record, each.id) for each in written}
        return any(each.found is None or (*each.key, each.found.id) not in ids for each in self.asked)

    def refuse(self) -> None:
        """Raises SchemasRefused for the first problem, or the refusal of a registry that did not answer."""
        if self.refusal is not None:
            raise self.refusal
        for each in self.asked:
            if each.problem:
                raise SchemasRefused(each.problem, each.hint, node=each.node)


def find_sink_schemas(
    flows: Mapping[str, NodeFlows],
    registry: Registry | RegistryMissing,
    kept: Iterable[WrittenSchema],
    *,
    is_deploy: bool,
) -> SinkSchemas:
    """Asks the registry about each schema with which a sink would write. `flows` are those of the graph.

    `kept` are the answers of the last run of the same version. A restart keeps them, whatever the registry says by now,
    and whether or not it answers. A deploy asks again, and keeps them if the registry does not answer.
    """
    uses = list(_list_uses(flows))
    if not uses:
        return NO_SCHEMAS
    if isinstance(registry, RegistryMissing):
        return SinkSchemas(refusal=registry)
    known = {(each.node, each.topic, each.side, each.record): each for each in kept if each.registry == registry.url}
    keys = [(node, use.topic, use.side, use.record) for node, use in uses]
    before = SinkSchemas(kept=tuple(known[key] for key in keys)) if all(key in known for key in keys) else None
    if before is not None and not is_deploy:
        return before
    try:
        return SinkSchemas(tuple(_ask(node, use, registry) for node, use in uses))
    except RegistryUnreachable as refusal:
        return before or SinkSchemas(refusal=refusal)
    except Refusal as refusal:
        return SinkSchemas(refusal=refusal)


def register(sink_schemas: SinkSchemas, registry: Registry | None) -> list[WrittenSchema]:
    """Register the schemas that the subjects lack, and return all with which the plan's sinks write.

    1. Refuse if any schema has a problem, so that a deploy that cannot run registers nothing.
    2. Register the files that a schema imports, because it names their versions.
    3. Have the registry judge the schema if it could not before its imports were there. A registry that does not judge
       schemas with imports decides in 4.
    4. Register it, and read its id and version back from the subject.

    A crash between two steps leaves schemas that no record uses yet. The next look at the job does all steps again:
    a schema that its subject has already keeps its id. `test_sink_schemas.py` shows 2
    (`test_the_files_that_a_protobuf_schema_imports_are_registered_before_it`) and that a restart repeats nothing
    (`test_a_deploy_registers_once_and_a_restart_asks_no_registry`).
    """
    sink_schemas.refuse()  # 1
    written = list(sink_schemas.kept)
    for each in sink_schemas.asked:
        if each.found is not None or registry is None:
            written += [each.found] if each.found else []
            continue
        imports = register_imports(registry, each.imports)  # 2
        references = make_references(imports, find_direct(each.schema) if imports else ()) or ()
        if each.compatibility is None:  # 3
            each = _judge(each, registry, references)
            SinkSchemas((each,)).refuse()
        registry.register(each.subject, each.schema, references)  # 4
        found = registry.find(each.subject, each.schema, references)
        if found is None:  # a registry with followers may answer late
            raise RegistryUnreachable(
                f"The schema registry of `{registry.name}` does not show the schema of {each.subject} yet.",
                "It is tried again.",
            )
        new = replace(each, found=_make_written(each, found.id, found.version, registry))
        if each.use.needs_guid:
            new = _add_guid(new, registry)
            SinkSchemas((new,)).refuse()
        written += [new.found] if new.found else []
    return written


def _list_uses(flows: Mapping[str, NodeFlows]) -> Iterator[tuple[str, RegistryUse]]:
    for node, at in flows.items():
        if isinstance(at.operator, WritesTopic) and at.inputs:
            for use in at.operator.find_registry_uses(at.inputs.only.schema):
                yield node, use


def _ask(node: str, use: RegistryUse, registry: Registry) -> SinkSchema:
    subject = use.subject
    if use.asks_registry:
        subject = registry.find_associated(use.topic, use.side) or subject
    each = SinkSchema(node, use, "takes", subject, use.schema)
    match use.registration:
        case "id":
            each = _take_id(each, registry)
        case "latest":
            each = _take_latest(each, registry)
        case registration:
            each = _find_or_register(each, registration == "register", registry)
    return _add_guid(each, registry) if each.use.needs_guid and each.found is not None and not each.problem else each


def _take_id(each: SinkSchema, registry: Registry) -> SinkSchema:
    number = each.use.id or 0
    try:
        schema = registry.schema(number)
    except SchemaMissing as refusal:
        return replace(each, problem=refusal.message, hint=f"Correct `{each.use.side}_schema_id`.")
    # several subjects may have the schema: the one that the form names counts first
    places = sorted(registry.find_places(number), key=lambda place: place[0] != each.subject)
    subject, version = places[0] if places else ("", None)
    each = replace(each, subject=subject, schema=schema)
    return _check_type(replace(each, found=_make_written(each, number, version, registry)))


def _take_latest(each: SinkSchema, registry: Registry) -> SinkSchema:
    try:
        latest = registry.version(each.subject)
    except SchemaMissing:
        return replace(
            each,
            problem=f"The registry has no subject {each.subject}, whose latest schema `{each.node}` takes.",
            hint="Register a schema there, correct the subject, or choose register as `schema_registry`.",
        )
    each = replace(each, schema=latest.schema)
    return _check_type(replace(each, found=_make_written(each, latest.id, latest.version, registry)))


def _find_or_register(each: SinkSchema, may_register: bool, registry: Registry) -> SinkSchema:
    references: tuple[Reference, ...] | None = ()
    if each.schema.kind == "PROTOBUF" and each.schema.references:
        each = replace(each, imports=tuple(find_imports(registry, each.schema)))
        references = make_references(each.imports, find_direct(each.schema))
    found = None if references is None else registry.find(each.subject, each.schema, references)
    found = found or _find_referring(each, registry)
    if found is not None:
        each = replace(each, schema=found.schema)
        written = _make_written(each, found.id, found.version, registry)
        return replace(each, does="finds", found=written)
    if not may_register:
        return replace(
            each,
            does="finds",
            problem=f"Subject {each.subject} does not have the schema with which `{each.node}` writes.",
            hint="Register the schema there, or let the deploy do it: choose register as `schema_registry`.",
        )
    each = replace(each, does="registers")
    for file in each.imports:
        if file.verdict is not None and not file.verdict.is_compatible:
            return replace(
                each,
                problem=f"Subject {file.path} does not accept the file that the schema of `{each.node}` imports, at "
                f"level {file.verdict.level}.",
                hint=" ".join(file.verdict.reasons[:3]) or "Change the file as the level allows.",
            )
    if references is not None:
        return _judge(each, registry, references)
    is_first = not _has_versions(each.subject, registry)
    return replace(each, compatibility=Verdict(True, registry.level(each.subject)) if is_first else None)


def _has_versions(subject: str, registry: Registry) -> bool:
    try:
        return bool(registry.versions(subject))
    except SchemaMissing:
        return False


def _judge(each: SinkSchema, registry: Registry, references: Sequence[Reference]) -> SinkSchema:
    """The schema with the registry's own answer. Its imports are registered."""
    try:
        verdict = registry.judge(each.subject, each.schema, references)
    except NotJudged:  # it decides when the schema is registered
        return each
    each = replace(each, compatibility=verdict)
    if verdict.is_compatible:
        return each
    version, field = find_misfit(each, verdict, registry)
    what = f"Field `{field}`" if field else "It"
    return replace(
        each,
        field=field,
        problem=f"Subject {each.subject} does not accept the schema of `{each.node}` at level {verdict.level}. {what} "
        f"does not fit version {version}.",
        hint=" ".join(verdict.reasons[:3]) or "Change the schema as the level allows.",
    )


def _find_referring(each: SinkSchema, registry: Registry) -> Registered | None:
    """The newest version of the subject if it is the same schema, with some of its types in other subjects.

    A drawing holds such a schema as one text. Subjects of imported files may have any names.
    """
    try:
        latest = registry.version(each.subject)
    except SchemaMissing:
        return None
    if not latest.schema.references or latest.schema.kind != each.schema.kind:
        return None
    own, other = inline_references(each.schema), inline_references(latest.schema)
    match each.schema.kind:
        case "AVRO":
            return latest if load(own) == load(other) else None
        case "PROTOBUF":
            return latest if protobuf.is_same(own, other) else None
        case _:
            return None


def _check_type(each: SinkSchema) -> SinkSchema:
    """A client would notice only at the first record that the registry's schema does not accept its records."""
    use = each.use
    kind = KINDS[use.side_written.format]
    own_kind = use.schema.kind
    if each.schema.kind != own_kind:
        return replace(
            each,
            problem=f"The schema of {each.subject} is {each.schema.kind}; `{each.node}` writes {own_kind}.",
            hint="Choose a subject with such schemas, or another format.",
        )
    try:
        side = kind.adopt(use.side_written, each.schema, 0)
        side = replace(side, type=kind.add_defaults(each.schema, side.type))
        misfit = None if fits(side) else make_misfit(f"{use.side}_format", side)
    except SchemaNotRead as error:
        return replace(each, problem=f"The schema of {each.subject} cannot be used. {error}", hint=error.issue.hint)
    if misfit is None:
        return each
    field = str(misfit.args.get("field") or "")
    return replace(each, problem=f"`{each.node}`: {misfit.message}", hint=misfit.hint, field=field)


def _add_guid(each: SinkSchema, registry: Registry) -> SinkSchema:
    assert each.found is not None
    guid = registry.find_guid(each.found.id)
    if guid is None:
        return replace(
            each,
            problem=f"The schema registry of `{registry.name}` gives schemas no GUID.",
            hint="Choose id_header or confluent in `avro_header`.",
        )
    return replace(each, found=replace(each.found, guid=guid))


def _make_written(each: SinkSchema, number: int, version: int | None, registry: Registry) -> WrittenSchema:
    use = each.use
    return WrittenSchema(
        node=each.node,
        topic=use.topic,
        side=use.side,
        subject=each.subject,
        id=number,
        schema=each.schema,
        version=version,
        record=use.record,
        registry=registry.url,
    )


def find_misfit(each: SinkSchema, verdict: Verdict, registry: Registry) -> tuple[int, str]:
    """The version that a refused schema does not fit, and the field. It is empty if it is another reason.

    Registries word their reasons differently, and some name no field.
    """
    found = registry.version(each.subject, verdict.version)
    schema_format = find_schema_format(each.schema.kind)
    if schema_format is None or found.schema.kind != each.schema.kind:
        return found.version, ""
    try:
        old, new = inline_references(found.schema), inline_references(each.schema)
        ways = {"BACKWARD": [(old, new)], "FORWARD": [(new, old)]}  # each the schema of a writer and of a reader
        counted = ways.get(verdict.level.removesuffix("_TRANSITIVE"), [(old, new), (new, old)])
        reasons = [schema_format.find_mismatch(*way, all_fit=strict) for strict in (False, True) for way in counted]
    except SchemaNotRead:
        return found.version, ""
    fields = (why.split("`")[1] for why in reasons if why is not None and why.startswith("Field `"))
    return found.version, next(fields, "")


NO_SCHEMAS = SinkSchemas()
