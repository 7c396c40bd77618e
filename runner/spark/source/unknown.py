"""Finds records whose schemas a run does not know yet, before it processes any of them.

The worker that reads a partition looks at the ids of all records first. It never asks the registry: it fails the batch
with the places, and the run takes over (`runner.spark.schemas`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from designer.values.schemas import FormatSchema, SchemaId
from runner.engine.formats.framing import KEY_HEADER, PREFIX, VALUE_HEADER, find_frame
from runner.engine.planning.layout import Source
from runner.spark.codes import RunCode
from runner.spark.columns import RecordColumns, Records
from runner.spark.failures import RunFailed
from runner.spark.program import Program

MAX_PLACES = 500


class SchemaPlace(NamedTuple):
    """The first record of a partition with an unknown schema id."""

    topic: str
    partition: int
    offset: int
    id: SchemaId


class RegistrySide(NamedTuple):
    """The keys or the values of an input that a registry describes: their column, header, and ids of the form."""

    column: Callable[[RecordColumns], Sequence[bytes | None]]
    header: str
    known: frozenset[SchemaId]


def find_sides(program: Program, number: int) -> tuple[RegistrySide, ...]:
    """The sides of an input whose ids must be known before its records are processed."""
    if not program.plan.asks_registry:
        return ()
    sides = set[RegistrySide]()
    for target in program.inputs[number].targets:
        source = program.layout.targets[target]
        assert isinstance(source, Source)
        (flow,) = program.layout.nodes[source.node].outputs.values()
        for side, column, header in (
            (flow.schema.key, _get_keys, KEY_HEADER),
            (flow.schema.value, _get_values, VALUE_HEADER),
        ):
            if side.schema is not None and side.schema.registry:
                known = frozenset((*_find_own_ids(side.schema), *program.layout.registry_schemas))
                sides.add(RegistrySide(column, header, known))
    return tuple(sides)


def find_unknown(topic: str, partition: int, arrived: Records, sides: Sequence[RegistrySide]) -> list[SchemaPlace]:
    """The first place of each unknown id among records of one partition. Most calls look at a set of prefixes only."""
    places: dict[SchemaId, SchemaPlace] = {}
    records = arrived.lists
    for side in sides:
        contents = side.column(records)
        has_headers = any(side.header in headers for headers in records.headers if headers is not None)
        if not has_headers and side.known.issuperset(_find_ids({content[:5] for content in contents if content})):
            continue
        for offset, content, headers in zip(records.offsets, contents, records.headers, strict=True):
            if content is not None:
                number = find_frame(content, headers, side.header).id
                if number is not None and number not in side.known and number not in places:
                    places[number] = SchemaPlace(topic, partition, offset, number)
    return list(places.values())


def make_failure(places: Sequence[SchemaPlace]) -> RunFailed:
    """The failure of a batch that met unknown ids. The run reads its `details`."""
    first = places[0]
    return RunFailed(
        RunCode.SCHEMA_UNKNOWN,
        f"Offset {first.offset} of partition {first.partition} of topic {first.topic} is written with the schema of id "
        f"{first.id}, which the run does not know yet.",
        "The run asks the schema registry for it.",
        retriable=True,
        details={"places": [list(each) for each in places[:MAX_PLACES]]},
    )


def read_places(failure: RunFailed) -> list[SchemaPlace]:
    """The places in a failure of `make_failure`; none in any other."""
    return [SchemaPlace(*each) for each in failure.details.get("places", ())]


def _find_ids(prefixes: set[bytes]) -> set[int]:
    return {PREFIX.unpack(each)[1] for each in prefixes if len(each) == PREFIX.size and each[0] == 0}


def _find_own_ids(avro: FormatSchema) -> list[int]:
    return [avro.id or 0, *(number for number, _ in avro.writers)]  # the topology itself writes 0 without an id


def _get_keys(records: RecordColumns) -> Sequence[bytes | None]:
    return records.keys


def _get_values(records: RecordColumns) -> Sequence[bytes | None]:
    return records.values
