"""Questions to a schema registry, and the registration of schemas.

confluent-kafka's client speaks the protocol. Its requests go through `runner.outgoing`, so they reach no forbidden
address, follow no redirect, and end after a time and a size. The client is imported at the first question: it takes a
third of a second, and most processes ask nothing.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict
from urllib.parse import quote, urlencode

import orjson

from designer.protobuf.files import BASE64
from designer.values.schemas import SchemaId, SchemaText
from runner.outgoing import NoAnswer, call
from runner.registry.client import make_client, make_tls
from runner.registry.refusals import (
    NotJudged,
    RegistryNotAllowed,
    RegistryRefused,
    RegistryUnreachable,
    SchemaMissing,
    SchemaUnusable,
)
from runner.registry.settings import check_settings

if TYPE_CHECKING:
    from confluent_kafka.schema_registry import SchemaRegistryClient

ANSWER_SECONDS = 5.0
MAX_BYTES = 10 * 1_048_576
"""Longest answer. 10,000 subjects take about a tenth of it."""
MAX_REFERENCES = 200
"""Most schemas that one schema may refer to, directly or through others."""
MAX_CHARACTERS = 1_000_000
"""Longest schema, with everything it refers to. A worker that compiles a longer one would hold up its partition."""
PROBE = "streamwright-probe"
"""The subject that a check names. It never exists."""
NEVER_A_SCHEMA = "{"
LATEST = "latest"
MISREAD = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading an answer raises that is not in a registry's form: of other types, nested too deep, or with 1e400."""
DEFAULT_CONTEXT = "."
"""Confluent's registry counts ids in each context."""


class Registered(NamedTuple):
    """A version of a subject."""

    subject: str
    version: int
    id: int
    schema: SchemaText


class Reference(NamedTuple):
    """Another schema that a schema refers to: the name in its text, and a version of a subject."""

    name: str
    subject: str
    version: int


class Verdict(NamedTuple):
    """Whether a subject accepts a schema at its compatibility level, and the registry's reasons if not.

    `version` is the one that the schema does not fit. None: the newest, or it fits all that count.
    """

    is_compatible: bool
    level: str
    reasons: tuple[str, ...] = ()
    version: int | None = None


class Access(NamedTuple):
    """What the registry lets its user do. `level` is the global compatibility level, empty if it may not be read."""

    may_read: bool
    may_list: bool
    may_register: bool
    level: str
    subjects: int | None
    """Number of subjects, if they may be listed."""


@dataclass(frozen=True)
class Registry:
    """A connection to one schema registry. `name` is its cluster's.

    `is_internal` allows addresses of internal networks.
    """

    url: str
    config: Mapping[str, str]
    name: str = "local"
    is_internal: bool = False

    def __post_init__(self) -> None:
        check_settings(self.url, self.config)

    @classmethod
    def of(cls, settings: Mapping[str, str], name: str = "local") -> Registry:
        """A connection from one flat mapping, as plans carry it (`to_settings`)."""
        config = {key: value for key, value in settings.items() if key not in ("url", "is_internal")}
        return cls(settings["url"], config, name, settings.get("is_internal") == "true")

    def to_settings(self) -> dict[str, str]:
        """The connection as one flat mapping, with its secrets."""
        return {**self.config, "url": self.url, "is_internal": "true" if self.is_internal else "false"}

    def check(self) -> Access:
        """What the registry lets its user do. Nothing is registered: the text that it offers is no schema.

        Raises RegistryUnreachable, or RegistryNotAllowed if the user may do nothing.
        """
        subjects = self._count_subjects()
        may_read = self._may(lambda: self._send("GET", f"subjects/{PROBE}/versions/{LATEST}"))
        level = self.find_level()
        may_register = self._may(lambda: self._send("POST", f"subjects/{PROBE}/versions", {"schema": NEVER_A_SCHEMA}))
        if not may_read and subjects is None and not may_register:
            self.subjects()  # with the registry's own reason
        return Access(may_read, subjects is not None, may_register, level, subjects)

    def subjects(self) -> list[str]:
        """The names of all subjects. Raises RegistryNotAllowed if the user may not list them."""
        with self._answers():
            return sorted(map(str, self.client.get_subjects()))

    def versions(self, subject: str) -> list[int]:
        """The versions of a subject, oldest first. Raises SchemaMissing."""
        with self._answers():
            return sorted(self.client.get_versions(subject))

    def version(self, subject: str, number: int | None = None) -> Registered:
        """A version of a subject, or the latest. Raises SchemaMissing."""
        with self._answers():
            # the client remembers answers, but a version may be deleted, and the latest changes
            found = self._send("GET", f"subjects/{_escape(subject)}/versions/{number or LATEST}")
            return Registered(subject, int(found["version"]), int(found["id"]), self._complete(found))

    def list_references(self, subject: str, number: int) -> list[Reference]:
        """What a version refers to directly. Raises SchemaMissing."""
        with self._answers():
            found = self._send("GET", f"subjects/{_escape(subject)}/versions/{number}")
            references = found.get("references") or ()
            return [Reference(each["name"], each["subject"], int(each["version"])) for each in references]

    def schema(self, number: int, *, is_compiled: bool = False) -> SchemaText:
        """The schema of an id. Raises SchemaMissing.

        With `is_compiled`, one of Protobuf is the registry's own descriptor in base64, if it gives one, else its text.
        """
        return self._fetch(f"schemas/ids/{number}", is_compiled)

    def schema_of_guid(self, guid: str, *, is_compiled: bool = False) -> SchemaText:
        """The schema of a GUID. Raises SchemaMissing; older registries know no GUIDs."""
        return self._fetch(f"schemas/guids/{_escape(guid)}", is_compiled)

    def _fetch(self, place: str, is_compiled: bool) -> SchemaText:
        from confluent_kafka.schema_registry.error import SchemaRegistryError

        with self._answers():
            found = self._send("GET", place)
            schema = self._complete(found)
            if not is_compiled or schema.kind != "PROTOBUF":
                return schema
            try:
                compiled = str(self._send("GET", f"{place}?format=serialized")["schema"])
            except SchemaRegistryError:  # Apicurio 3.3.3 answers 500 if the file has a package or imports
                return schema
            # Apicurio before 3.1.2 and Karapace answer with the text again
            return schema._replace(text=compiled) if BASE64.fullmatch(compiled) else schema

    def find_guid(self, number: int) -> str | None:
        """The GUID of the schema of an id. None of an older registry. Raises SchemaMissing."""
        with self._answers():
            found = self._send("GET", f"schemas/ids/{number}").get("guid")
            return None if found is None else str(found)

    def find_id(self, guid: str) -> int | None:
        """The id of the schema of a GUID; of several contexts, the default one's. Raises SchemaMissing."""
        with self._answers():
            ids = {each["context"]: int(each["id"]) for each in self._send("GET", f"schemas/guids/{_escape(guid)}/ids")}
            return ids.get(DEFAULT_CONTEXT)

    def find_places(self, number: SchemaId) -> list[tuple[str, int]]:
        """The subjects and versions that have the schema of an id or GUID."""
        if isinstance(number, str):
            own = self.find_id(number)
            return [] if own is None else self.find_places(own)
        with self._answers():
            found = self._send("GET", f"schemas/ids/{number}/versions") or ()
            return [(str(each["subject"]), int(each["version"])) for each in found]

    def find(self, subject: str, schema: SchemaText, references: Sequence[Reference] = ()) -> Registered | None:
        """The version of a subject that has this schema. Registers nothing."""
        try:
            with self._answers():
                found = self._send("POST", f"subjects/{_escape(subject)}", _write(schema, references))
                return Registered(subject, int(found["version"]), int(found["id"]), schema)
        except SchemaMissing:
            return None

    def judge(self, subject: str, schema: SchemaText, references: Sequence[Reference] = ()) -> Verdict:
        """Whether a subject accepts a schema as its next version. Registers nothing. Raises NotJudged.

        A transitive level counts all versions. Each is asked for, the newest first: Confluent's registry and Karapace
        compare with the version of the request and with no other, whatever the level.
        """
        level = self.level(subject)
        if not level.endswith("_TRANSITIVE"):
            return self._compare(subject, None, schema, references, level)
        try:
            numbers = reversed(self.versions(subject))
        except SchemaMissing:
            return Verdict(True, level)
        verdicts = (self._compare(subject, number, schema, references, level) for number in numbers)
        return next((verdict for verdict in verdicts if not verdict.is_compatible), Verdict(True, level))

    def _compare(
        self, subject: str, number: int | None, schema: SchemaText, references: Sequence[Reference], level: str
    ) -> Verdict:
        """Whether a schema fits a version of a subject, or the newest."""
        try:
            with self._answers():
                place = f"compatibility/subjects/{_escape(subject)}/versions/{number or LATEST}?verbose=true"
                found = self._send("POST", place, _write(schema, references))
                is_compatible = bool(found["is_compatible"])
                reasons = tuple(map(str, found.get("messages") or filter(None, [found.get("reason")])))
        except SchemaMissing:
            return Verdict(True, level)
        except (RegistryRefused, RegistryUnreachable) as error:  # Apicurio cannot compare kinds: it answers 422 or 500
            newest = self.version(subject).schema.kind
            if newest != schema.kind:
                return Verdict(False, level, (f"Its newest version is {newest}, and this schema is {schema.kind}.",))
            tried = self._try_register(subject, schema, references) if references else None
            if tried is not None:
                return Verdict(not tried, level, tried, number if tried else None)
            if references and isinstance(error, RegistryRefused):
                raise NotJudged(error.message, error.hint) from error
            raise
        if not is_compatible and level == "NONE":  # then the global level counts
            level = self.level()
        if not is_compatible and not reasons:
            reasons = self._try_register(subject, schema, references) or ()
        return Verdict(is_compatible, level, reasons, None if is_compatible else number)

    def _try_register(
        self, subject: str, schema: SchemaText, references: Sequence[Reference]
    ) -> tuple[str, ...] | None:
        """The reasons for which Apicurio 3 refuses a version, by a dry run of its own API. None if that says nothing.

        Its compatibility check of Confluent's API gives no reasons, and refuses all that refers to other schemas.
        """
        if not self._is_apicurio:
            return None
        kinds = {"PROTOBUF": "application/x-protobuf"}
        content: dict[str, object] = {
            "content": schema.text,
            "contentType": kinds.get(schema.kind, "application/json"),
            "references": [
                {"name": each.name, "groupId": "default", "artifactId": each.subject, "version": str(each.version)}
                for each in references
            ],
        }
        rest = self.client._rest_client
        headers = {"Content-Type": "application/json"}
        if rest.bearer_auth_credentials_source:
            rest.handle_bearer_auth(headers)
        own = f"{self.url.rstrip('/')}/../../registry/v3"
        place = f"{own}/groups/default/artifacts/{_escape(subject)}/versions?dryRun=true"
        with self._answers():
            answer = rest.session.post(place, content=orjson.dumps({"content": content}), headers=headers)
        if answer.status_code == 200:
            return ()
        try:
            causes = answer.json()["causes"]
            return tuple(dict.fromkeys(f"{each['description']} at {each['context']}" for each in causes)) or None
        except MISREAD:  # an older Apicurio, or one that does not allow it
            return None

    def register(self, subject: str, schema: SchemaText, references: Sequence[Reference] = ()) -> int:
        """Registers a schema unless the subject has it, and returns its id. Raises RegistryRefused."""
        with self._answers():
            found = self._send("POST", f"subjects/{_escape(subject)}/versions", _write(schema, references))
            return int(found["id"])

    def level(self, subject: str | None = None) -> str:
        """The compatibility level of a subject, or the global one, which also counts where a subject has none."""
        try:
            with self._answers():
                level = str(self.client.get_compatibility(subject))
        except SchemaMissing:
            return self.level() if subject is not None else "NONE"
        has_none = subject is not None and level == "NONE" and not self._has_own_level(subject)
        return self.level() if has_none else level

    def _has_own_level(self, subject: str) -> bool:
        """Whether NONE is the subject's own level. Apicurio also says it of a subject without one, but its own API
        tells them apart."""
        if not self._is_apicurio:
            return True
        for version in ("v3", "v2"):
            try:
                with self._answers():
                    place = f"../../registry/{version}/groups/default/artifacts/{_escape(subject)}/rules"
                    return "COMPATIBILITY" in self._send("GET", place)
            except (SchemaMissing, RegistryNotAllowed):
                continue
        return True

    @property
    def _is_apicurio(self) -> bool:
        return self.url.rstrip("/").rpartition("/")[0].endswith("/apis/ccompat")

    def find_level(self, subject: str | None = None) -> str:
        """The compatibility level of a subject, or the global one. Empty if the user may not read it."""
        try:
            return self.level(subject)
        except RegistryNotAllowed:
            return ""

    def find_associated(self, topic: str, side: str) -> str | None:
        """The subject that the registry associates with a topic's keys or values. Older registries know none."""
        try:
            with self._answers():
                place = f"associations/resources/-/{_escape(topic)}?{urlencode({'resourceType': 'topic'})}"
                found = self._send("GET", f"{place}&{urlencode({'associationType': side})}") or ()
                return next((str(each["subject"]) for each in found), None)
        except SchemaMissing:
            return None

    @cached_property
    def client(self) -> SchemaRegistryClient:
        """confluent-kafka's client, which sends with `_call`."""
        return make_client(self.url, self.config, self.name, self._call)

    @cached_property
    def tls(self) -> ssl.SSLContext | None:
        """The registry's own authority and our certificate. None: what every program trusts."""
        return make_tls(self.config, self.name)

    def _call(self, method: str, url: str, headers: Mapping[str, str], body: bytes | None) -> tuple[int, bytes]:
        """One request. Raises NoAnswer and AddressRefused."""
        answer = call(
            url,
            method=method,
            body=body or None,
            headers=headers,
            is_internal=self.is_internal,
            seconds=ANSWER_SECONDS,
            max_bytes=MAX_BYTES,
            tls=self.tls,
        )
        return answer.status, answer.body

    def _send(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Any:
        """For answers of which the client's own methods drop a part, such as the reasons of a verdict."""
        path, _, query = path.partition("?")
        named = dict(part.split("=", 1) for part in query.split("&")) if query else None
        return self.client._rest_client.send_request(path, method, None if body is None else dict(body), named)

    def _complete(self, found: Mapping[str, Any]) -> SchemaText:
        """A schema with everything it refers to. Raises SchemaUnusable for references in a circle, or too many."""
        references: dict[str, str] = {}
        self._gather(found, references, ())
        if len(str(found["schema"])) + sum(map(len, references.values())) > MAX_CHARACTERS:
            raise _make_too_large()
        return SchemaText(found.get("schemaType") or "AVRO", str(found["schema"]), tuple(references.items()))

    def _gather(self, found: Mapping[str, Any], into: dict[str, str], path: tuple[str, ...]) -> None:
        for each in found.get("references") or ():
            name = str(each["name"])
            if name in path:
                raise SchemaUnusable(
                    f"The schema `{name}` refers to itself: {' → '.join((*path, name))}.",
                    "Register a version without the circle.",
                )
            if name in into:
                continue
            if len(into) >= MAX_REFERENCES:
                raise SchemaUnusable(
                    f"The schema refers to more than {MAX_REFERENCES} others.", "Split it, or reduce its references."
                )
            place = f"subjects/{_escape(str(each['subject']))}/versions/{int(each['version'])}"
            referred = self._send("GET", place)
            if sum(map(len, into.values())) > MAX_CHARACTERS:
                raise _make_too_large()
            self._gather(referred, into, (*path, name))
            into[name] = str(referred["schema"])

    def _may(self, ask: Callable[[], object]) -> bool:
        try:
            with self._answers():
                ask()
        except RegistryNotAllowed:
            return False
        except (SchemaMissing, RegistryRefused):  # it looked, so it may
            return True
        return True

    def _count_subjects(self) -> int | None:
        try:
            return len(self.subjects())
        except RegistryNotAllowed:
            return None
        except SchemaMissing as error:  # every registry has a list of subjects
            raise self._make_other() from error

    @contextmanager
    def _answers(self) -> Iterator[None]:
        """Turns the errors of a request into refusals."""
        import httpx2
        from confluent_kafka.schema_registry.error import SchemaRegistryError

        try:
            yield
        except NoAnswer as error:
            raise self._make_unreachable(str(error)) from error
        except httpx2.TransportError as error:
            raise self._make_unreachable(str(error)) from error
        except SchemaRegistryError as error:
            raise self._explain(error.http_status_code, error.error_message) from error
        except MISREAD as error:
            raise self._make_other() from error

    def _make_other(self) -> RegistryRefused:
        return RegistryRefused(
            f"{self.url} did not answer as a schema registry does.",
            "Give the address under which it serves Confluent's API; Apicurio's ends with /apis/ccompat/v7.",
        )

    def _make_unreachable(self, why: str) -> RegistryUnreachable:
        return RegistryUnreachable(
            f"The schema registry of `{self.name}` does not answer at {self.url}: {why}",
            "Check that it runs and that this server reaches it.",
        )

    def _explain(self, status: int, words: object) -> Exception:
        said = str(words or "").strip().rstrip(".")[:500]
        if status in (401, 403):
            return RegistryNotAllowed(
                f"The schema registry of `{self.name}` does not allow this: {said or status}.",
                "Check its user, and the rights of the user.",
            )
        if status == 404:
            return SchemaMissing(f"The schema registry of `{self.name}` has no such schema: {said or status}.")
        if status == 429 or status >= 500:
            return RegistryUnreachable(
                f"The schema registry of `{self.name}` cannot serve the request now: "
                f"it answered {status}, {said or 'without a reason'}.",
                f"Look at the registry's own log. Its address is {self.url}.",
            )
        if 300 <= status < 400:
            return RegistryRefused(
                f"{self.url} sends requests to another address.", "Name the address that answers itself."
            )
        return RegistryRefused(f"The schema registry of `{self.name}` did not accept it: {said or status}.")


def _make_too_large() -> SchemaUnusable:
    return SchemaUnusable(
        f"The schema has more than {MAX_CHARACTERS:,} characters with everything it refers to.",
        "Split it, or reduce its references.",
    )


class SchemaBody(TypedDict):
    """A schema as the registry takes it."""

    schema: str
    schemaType: NotRequired[str]
    references: NotRequired[list[Mapping[str, object]]]


def _write(schema: SchemaText, references: Sequence[Reference]) -> SchemaBody:
    body: SchemaBody = {"schema": schema.text}
    if schema.kind != "AVRO":
        body["schemaType"] = schema.kind
    if references:
        body["references"] = [each._asdict() for each in references]
    return body


def _escape(name: str) -> str:
    return quote(name, safe="")
