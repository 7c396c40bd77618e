"""Java's source text: literals, comments, names and types. All users' text enters a program through this module."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from designer.values.schemas import Kind, Type

ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
RESERVED_WORDS = frozenset(
    [
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extends",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "record",
        "return",
        "sealed",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "false",
        "try",
        "var",
        "void",
        "volatile",
        "while",
        "yield",
        "permits",
        "non",
        "exports",
        "module",
        "open",
        "opens",
        "provides",
        "requires",
        "to",
        "uses",
        "with",
        "when",
        "transitive",
    ]
)
TYPES: Mapping[Kind, str] = {
    Kind.BOOLEAN: "Boolean",
    Kind.INTEGER: "Long",
    Kind.DOUBLE: "Double",
    Kind.DECIMAL: "BigDecimal",
    Kind.STRING: "String",
    Kind.BYTES: "byte[]",
    Kind.LIST: "List<Object>",
    Kind.STRUCT: "Map<String, Object>",
    Kind.MAP: "Map<String, Object>",
    Kind.UNION: "Sql.Union",
    Kind.ANY: "Object",
}


class NotInJava(Exception):
    """A part of a topology has no Java. The message names it for the notice about its node."""


def find_java_type(type_: Type) -> str:
    """The class of values of a type."""
    return TYPES[type_.kind]


def quote_text(value: str) -> str:
    """A string literal. Backslashes are doubled, so that Java does not read a `\\u` before the string."""
    return '"' + "".join(map(_escape, value)) + '"'


def _escape(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    code = ord(character)
    if code < 0x20 or code == 0x7F:
        return f"\\{code:03o}"
    if character.isprintable():
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def write_comment(value: str) -> str:
    """A line comment. Backslashes are doubled here, too: a `\\u000a` would end the line."""
    line = "".join(character if character.isprintable() else " " for character in value)
    return "// " + " ".join(line.split()).replace("\\", "\\\\")


def make_identifier(text: str, names: Collection[str] = (), *, is_class: bool = False) -> str:
    """A name in Java's style, `late-flights` as lateFlights or LateFlights, different from all taken ones."""
    words = re.findall("[A-Za-z0-9]+", text) or ["it"]
    name = "".join(word[:1].upper() + word[1:] for word in words)
    if not is_class:
        name = name[:1].lower() + name[1:]
    if name[0].isdigit() or name in RESERVED_WORDS:
        name = f"n{name}" if name[0].isdigit() else f"{name}_"
    free_name, number = name, 2
    while free_name in names:
        free_name, number = f"{name}{number}", number + 1
    return free_name
