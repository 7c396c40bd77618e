"""The schemas of single records in a cluster's registry, for pages that show records."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import NamedTuple

from designer.issues import SchemaNotRead
from designer.refusals import Refusal
from designer.streams.formats import FORMATS_BY_KIND, SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, SchemaId, SchemaText, Side
from runner.control.clusters.topic_schemas import HEADERS
from runner.control.clusters.topic_schemas import Side as SideName
from runner.engine.formats.framing import NO_FRAME, Frame, find_frame_in
from runner.kafka import Message
from runner.registry import Registry, SchemaMissing
from runner.registry.codes import RegistryCode

log = logging.getLogger(__name__)
MAX_KNOWN, ABSENT_SECONDS = 1_000, 60.0
"""Number of remembered schemas, and how long it is remembered that a registry has no schema of an id."""


class FoundSchema(NamedTuple):
    """The schema of a record, with a place in the registry. Without a place, its subject was deleted."""

    id: SchemaId
    schema: SchemaText
    subject: str | None
    version: int | None


class _Known(NamedTuple):
    """A schema, and the subjects with versions that hold it."""

    schema: SchemaText
    places: list[tuple[str, int]]


class _Memory:
    """Answers of registries, oldest first. A schema never changes, so only absent ones are asked for again."""

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[str, SchemaId], tuple[float, _Known | None]] = OrderedDict()
        self._lock = Lock()

    def find(self, url: str, number: SchemaId) -> tuple[bool, _Known | None]:
        with self._lock:
            at, found = self._answers.get((url, number), (0.0, None))
        is_known = found is not None or (at > 0 and time.monotonic() - at < ABSENT_SECONDS)
        return is_known, found

    def keep(self, url: str, number: SchemaId, found: _Known | None) -> None:
        with self._lock:
            self._answers[url, number] = time.monotonic(), found
            while len(self._answers) > MAX_KNOWN:
                self._answers.popitem(last=False)


MEMORY = _Memory()


class RecordSchemas:
    """Finds the schemas of a topic's records for one page. After a registry was silent once, it asks no more.

    Several subjects may hold one schema. The one with the topic's name is shown, if there is one.
    """

    def __init__(self, registry: Registry | None, topic: str) -> None:
        self.registry = registry
        self.topic = topic
        self.is_silent = False

    def find(self, message: Message, side: SideName) -> tuple[FoundSchema | None, Frame]:
        """The schema of a record's key or value, and its frame. None: it has none that is known."""
        content = message.key if side == "key" else message.value
        if self.registry is None or not content:
            return None, NO_FRAME
        frame = find_frame_in(content, message.headers, HEADERS[side])
        known = None if frame.id is None else self._ask(self.registry, frame.id)
        if frame.id is None or known is None:
            return None, frame
        own = f"{self.topic}-{side}"
        places = sorted(known.places, key=lambda place: (place[0] != own, self.topic not in place[0]))
        subject, version = places[0] if places else (None, None)
        return FoundSchema(frame.id, known.schema, subject, version), frame

    def _ask(self, registry: Registry, number: SchemaId) -> _Known | None:
        is_known, found = MEMORY.find(registry.url, number)
        if is_known or self.is_silent:
            return found
        try:
            schema = registry.schema(number) if isinstance(number, int) else registry.schema_of_guid(number)
            found = _Known(schema, registry.find_places(number))
        except SchemaMissing:
            pass
        except Refusal as refusal:
            log.info("The schema %s of a record is not shown: %s", number, refusal.message)
            self.is_silent = True
            return None
        MEMORY.keep(registry.url, number, found)
        return found


def make_side(found: FoundSchema) -> Side | None:
    """How to read the data of a record with its own schema. None for kinds that are not read."""
    name = FORMATS_BY_KIND.get(found.schema.kind)
    if name is None or name not in SCHEMA_FORMATS:
        return None
    text = SCHEMA_FORMATS[name].inline_references(found.schema)
    try:
        return Side(name, SCHEMA_FORMATS[name].read_type(text), FormatSchema(text))
    except SchemaNotRead:
        return None


def find_written_side(registry: Registry, number: int) -> Side:
    """How to write data with a schema of the registry, behind Confluent's 5 bytes.

    Raises SchemaMissing, and SchemaNotWritten for a kind of schema that is not written.
    """
    schema = registry.schema(number)
    side = make_side(FoundSchema(number, schema, None, None))
    if side is None or side.schema is None:
        raise SchemaNotWritten(
            f"Records of the {schema.kind} schema {number} cannot be written here.", "Choose another schema."
        )
    return replace(side, schema=side.schema._replace(header=True, id=number))


class SchemaNotWritten(Refusal):
    """A schema of a kind with which no record can be written."""

    code = RegistryCode.REGISTRY_REFUSED
    status = 422
