"""Splits long Java statements into lines, and finds the imports of a class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import Template

FRAMES = Path(__file__).with_name("frames")
WIDTH = 118
PACKAGES = {
    "java.math": "BigDecimal RoundingMode",
    "java.time": "DayOfWeek Duration Instant ZoneId",
    "java.time.temporal": "ChronoUnit",
    "java.util": "ArrayList LinkedHashMap List Locale Map Properties",
    "java.util.function": "BiFunction",
    "java.util.regex": "Pattern",
    "org.apache.kafka.common.serialization": "Serde Serdes",
    "org.apache.kafka.common.utils": "Bytes",
    "org.apache.kafka.streams": "AutoOffsetReset KafkaStreams KeyValue StreamsBuilder StreamsConfig Topology",
    "org.apache.kafka.streams.kstream": """Branched CogroupedKStream Consumed EmitStrategy GlobalKTable Grouped
        JoinWindows Joined KGroupedStream KGroupedTable KStream KTable Materialized Named Printed Produced Repartitioned
        SessionWindowedCogroupedKStream SessionWindowedKStream SessionWindows SlidingWindows StreamJoined Suppressed
        TableJoined TimeWindowedCogroupedKStream TimeWindowedKStream TimeWindows UnlimitedWindows Window Windowed
        WindowedSerdes""",
    "org.apache.kafka.streams.kstream.Suppressed": "BufferConfig",
    "org.apache.kafka.streams.processor": "WallclockTimestampExtractor",
    "org.apache.kafka.streams.state": "BuiltInDslStoreSuppliers KeyValueStore SessionStore Stores WindowStore",
    "org.slf4j": "Logger LoggerFactory",
}
IMPORTS = {name: f"{package}.{name}" for package, names in PACKAGES.items() for name in names.split()}
LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|//.*')


def fill_frame(file: str, **values: str) -> str:
    """A file of the project, filled with values."""
    return Template((FRAMES / file).read_text()).substitute(values)


def write_imports(lines: Iterable[str]) -> list[str]:
    """The imports of the classes named in the lines, outside of literals and comments."""
    words = set(re.findall(r"\w+", LITERAL.sub("", "\n".join(lines))))
    return [f"import {name};" for name in sorted(IMPORTS[word] for word in words & IMPORTS.keys())]


def split_line(line: str, indent: int) -> list[str]:
    """A statement on lines of at most WIDTH, if possible: one call of a chain per line, then one argument per line."""
    pad = " " * indent
    if len(pad + line) <= WIDTH or line.startswith("//"):
        return [pad + line]
    parts = list(_split(line, _find_calls(line)))
    if len(parts) > 2:
        first, *rest = [parts[0] + parts[1], *parts[2:]]
        return [*split_line(first, indent), *(each for part in rest for each in split_line(part, indent + 4))]
    opening = _find_first_call(line)
    closing = _find_closing(line, opening)
    if closing < 0:
        return [pad + line]
    inner, after = line[opening + 1 : closing], line[closing:]
    items = [part.strip() for part in _split(inner, _find_commas(inner))]
    if len(items) < 2 and len(inner) < WIDTH // 2:
        return [pad + line]
    lines = [each for item in items for each in split_line(item, indent + 4)]
    lines[-1] += after
    return [pad + line[: opening + 1], *lines]


def _find_first_call(line: str) -> int:
    """The opening bracket of the first call. Casts, groups and literals do not count. -1 without a call."""
    call = re.search(r"\b\w+\(", _clear_literals(line))
    return call.end() - 1 if call else -1


def _split(line: str, places: Iterable[int]) -> Iterator[str]:
    at = 0
    for place in places:
        yield line[at:place]
        at = place
    yield line[at:]


def _find_calls(line: str) -> Iterator[int]:
    """Places of `.name(` outside of brackets."""
    blank = _clear_literals(line)
    for at, depth in _find_depths(line):
        if depth == 0 and re.match(r"\.(<[^()]*>)?\w+\(", blank[at:]):
            yield at


def _find_commas(line: str) -> Iterator[int]:
    blank = _clear_literals(line)
    for at, depth in _find_depths(line):
        if depth == 0 and blank[at] == ",":
            yield at + 1


def _find_closing(line: str, opening: int) -> int:
    if opening < 0:
        return -1
    blank = _clear_literals(line)
    return next((at for at, depth in _find_depths(line) if at > opening and depth == 0 and blank[at] == ")"), -1)


def _find_depths(line: str) -> Iterator[tuple[int, int]]:
    """Each character outside of literals with the number of brackets around it."""
    depth = 0
    for at, sign in enumerate(_clear_literals(line)):
        depth -= sign in ")]}" or (sign == ">" and line[at - 1 : at] != "-" and _is_type(line, at))
        yield at, depth
        depth += sign in "([{" or (sign == "<" and _is_type(line, at))


def _is_type(line: str, at: int) -> bool:
    """Whether an angle bracket belongs to a type: signs of comparison have spaces around them."""
    return line[at - 1 : at] != " "


def _clear_literals(line: str) -> str:
    """The line with its literals blanked out."""
    return LITERAL.sub(lambda literal: " " * len(literal[0]), line)
