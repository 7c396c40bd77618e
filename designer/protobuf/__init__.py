"""Compiles the `.proto` texts that users paste, and derives the types of their messages.

It imports `values` and the issues. protobuf's own descriptor pool resolves names and checks the result, so there is no
protoc and no generated class. A text holds one file, or several: each imported one follows a line
`// file: path/under/which/it/is/imported.proto`. A file may also be a serialized descriptor in base64, as registries
give it. Begin with `parse`.

- `files`: the texts as descriptors.
- `types`: the type of a message, and whether one can be read as another.
- `writing`: the schema of a type, for values that have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from google.protobuf.descriptor import Descriptor, FileDescriptor
from google.protobuf.descriptor_pool import DescriptorPool

from designer.issues import SchemaNotRead
from designer.messages import IssueCode
from designer.protobuf.files import build, split_files
from designer.protobuf.types import MAX_ABSENCES, Absence, compare, find_absent, make_type
from designer.protobuf.writing import write_schema
from designer.values.schemas import MAX_SCHEMA_CHARACTERS, Field, Kind, SchemaText, Type

__all__ = [
    "FileDescriptor",
    "ProtoSchema",
    "find_absent_fields",
    "find_mismatch",
    "inline_references",
    "is_same",
    "list_main_messages",
    "list_messages",
    "list_nested",
    "parse",
    "read_type",
    "write_schema",
]

MAX_CHARACTERS = 300_000
"""Longest text that is compiled: about five seconds. Serialized descriptors may be as long as other schemas."""


class ProtoSchema:
    """A compiled schema. Its `main` file is the first of the text."""

    def __init__(self, text: str) -> None:
        self.pool: DescriptorPool
        self.main: FileDescriptor
        self.pool, self.main, self._add_others = build(split_files(text))

    def find_message(self, name: str = "") -> Descriptor:
        """The message of that full name, or of that name in the main file. Without a name, the first one.

        Raises SchemaNotRead.
        """
        messages = list(self.main.message_types_by_name.values())
        if not name:
            if messages:
                return messages[0]
            raise SchemaNotRead(IssueCode.PROTOBUF_NO_MESSAGE, {"message": None, "messages": None})
        for _ in range(2):
            for full in (name, f"{self.main.package}.{name}"):
                try:
                    return self.pool.FindMessageTypeByName(full)
                except (KeyError, TypeError):  # TypeError: half a surrogate pair
                    continue
            self._add_others()
        known = ", ".join(each.full_name for each in messages[:20])
        raise SchemaNotRead(IssueCode.PROTOBUF_NO_MESSAGE, {"message": name[:200], "messages": known or None})

    def find_by_indexes(self, indexes: tuple[int, ...]) -> Descriptor | None:
        """The message at a place in the main file, as Confluent's message indexes give it. None: there is none."""
        if not indexes or min(indexes) < 0:
            return None
        messages, found = list(self.main.message_types_by_name.values()), None
        for index in indexes:
            if index >= len(messages):
                return None
            found = messages[index]
            messages = list_nested(found)
        return found


def list_nested(message: Descriptor) -> list[Descriptor]:
    """The messages inside a message that have a name in its text: the entries of maps have none."""
    return [each for each in message.nested_types if not each.GetOptions().map_entry]


@lru_cache(maxsize=32)
def parse(text: str) -> ProtoSchema:
    """The schema of a text. Raises SchemaNotRead."""
    limit = MAX_CHARACTERS if re.search(r"\s", text.strip()) else MAX_SCHEMA_CHARACTERS
    if len(text) > limit:
        raise SchemaNotRead(IssueCode.SCHEMA_TOO_LARGE, {"max_characters": limit})
    return ProtoSchema(text)


def list_messages(text: str, message: str) -> list[Descriptor]:
    """The messages that a form names: the first one of the text, one by its name, or several with commas between.

    Raises SchemaNotRead.
    """
    return [parse(text).find_message(name.strip()) for name in message.split(",")]


def list_main_messages(text: str) -> list[Descriptor]:
    """The messages of the main file, with those inside each after it. Raises SchemaNotRead."""
    waiting, found = list(parse(text).main.message_types_by_name.values())[::-1], list[Descriptor]()
    while waiting:
        found.append(waiting.pop())
        waiting += list_nested(found[-1])[::-1]
    return found


def read_type(text: str, message: str = "") -> Type:
    """The type of a message of the text, by default of the first one. That of several messages is a union.

    Raises SchemaNotRead.
    """
    messages = list_messages(text, message)
    if len(messages) == 1:
        return make_type(messages[0])
    return Type(Kind.UNION, fields=tuple(Field(each.full_name, make_type(each)) for each in messages))


def find_mismatch(writer: str, reader: str, message: str = "", *, all_fit: bool = False) -> str | None:
    """Why messages of the writer's schema cannot be read with the reader's. Raises SchemaNotRead.

    Fields match by number, so another name is none. Fields that only one of the two has are none either. With
    `all_fit`, types must be equal, and a required field must be written.
    """
    messages, pool = list_messages(reader, message), parse(writer).pool
    differences = list[str | None]()
    for into in messages:
        try:
            differences.append(compare(pool.FindMessageTypeByName(into.full_name), into, all_fit=all_fit))
        except KeyError:
            if all_fit:
                return f"It has no message `{into.full_name}`"
    if not differences:
        return f"It has no message {' or '.join(f'`{each.full_name}`' for each in messages)}"
    return next(filter(None, differences), None)


def find_absent_fields(writer: str, reader: str, message: str = "") -> Iterator[Absence]:
    """The fields that only the reader's messages have, of each message `MAX_ABSENCES` at most. Raises SchemaNotRead."""
    pool = parse(writer).pool
    for into in list_messages(reader, message):
        try:
            written = pool.FindMessageTypeByName(into.full_name)
        except KeyError:  # `find_mismatch` says that it is not there
            continue
        yield from islice(find_absent(written, into), MAX_ABSENCES)


def is_same(one: str, other: str) -> bool:
    """Whether two texts have the same files, but for comments and the order of imports. Raises SchemaNotRead."""
    return _list_files(parse(one).main) == _list_files(parse(other).main)


def _list_files(file: FileDescriptor) -> dict[str, bytes]:
    files, waiting = dict[str, bytes](), [file]
    while waiting:
        each = waiting.pop()
        if each.name not in files:
            files[each.name] = bytes(each.serialized_pb)
            waiting += each.dependencies
    return files


@lru_cache(maxsize=64)
def inline_references(schema: SchemaText) -> str:
    """The text of a schema, with the files that it imports after it.

    >>> money = 'syntax = "proto3"; message Money {}'
    >>> print(inline_references(SchemaText("PROTOBUF", 'import "money.proto";', (("money.proto", money),))))
    import "money.proto";
    // file: money.proto
    syntax = "proto3"; message Money {}
    """
    return "\n".join([schema.text.rstrip(), *(f"// file: {name}\n{text.rstrip()}" for name, text in schema.references)])
