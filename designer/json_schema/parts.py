"""The types of the parts of a JSON Schema. A part knows its place, so that a validator for it can be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote, urljoin

from designer.values.longs import MAX_LONG, MIN_LONG
from designer.values.schemas import ANY, BOOLEAN, DOUBLE, INTEGER, STRING, Field, Kind, Type, map_of

BASE = "http://schema.local/"
"""The address of a schema without `$id`. Nothing is fetched from it."""
MAX_DEPTH = 64
SCALARS: Mapping[str, Type] = {"string": STRING, "integer": INTEGER, "number": DOUBLE, "boolean": BOOLEAN}
KINDS: Mapping[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
}
NO_SCHEMAS = frozenset({"enum", "const", "default", "examples"})
"""Keywords whose members are values, not schemas."""


@dataclass(frozen=True, eq=False)
class Part:
    """A type with the parts of its members.

    `pointer` is the place of its schema. `word` is JSON's own type, for one of several in `type`. `is_closed`: the
    schema refuses members other than `members`. Values lack none of the members `required`.
    """

    type: Type
    pointer: str = ""
    word: str = ""
    members: Mapping[str, Part] = field(default_factory=dict)
    item: Part | None = None
    options: tuple[Part, ...] = ()
    is_closed: bool = False
    required: frozenset[str] = frozenset()


UNKNOWN = Part(ANY)


class PartReader:
    """Reads the parts of one document. Each place is read once, however often others refer to it."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.is_old = (
            isinstance(document, dict)
            and "2019-09" not in str(document.get("$schema"))
            and ("2020-12" not in str(document.get("$schema")))
        )
        """Until draft-07, the siblings of `$ref` do not count."""
        self.places: dict[str, str] = {BASE: "#"}
        """The pointer of each address: of each `$id` and `$anchor`."""
        self.bases: dict[str, str] = {"#": BASE}
        """The address of each pointer that has its own."""
        self.parts: dict[str, Part] = {}
        self.unites_types = bool(list_record_types(document))
        self._find_places()

    def read(self, pointer: str, depth: int = 0) -> Part:
        """The part at a place. A schema inside itself, and one that cannot be found, is of unknown type."""
        if pointer not in self.parts:
            self.parts[pointer] = UNKNOWN  # for references to itself
            schema = self._get(pointer)
            if isinstance(schema, dict) and depth < MAX_DEPTH:
                self.parts[pointer] = self._read(schema, pointer, depth + 1)
        return self.parts[pointer]

    def _read(self, schema: Mapping[str, Any], pointer: str, depth: int) -> Part:
        parts = []
        if isinstance(schema.get("$ref"), str):
            target = self._find(schema["$ref"], pointer)
            parts.append(UNKNOWN if target is None else self.read(target, depth))
            if self.is_old:
                return parts[0]
        parts.append(self._read_own(schema, pointer, depth))
        parts += [self.read(f"{pointer}/allOf/{index}", depth) for index in _count(schema, "allOf")]
        for word in ("oneOf", "anyOf"):
            options = [f"{pointer}/{word}/{index}" for index in _count(schema, word)]
            if options:
                parts.append(self._unite(options, pointer, depth))
        return _merge([part for part in parts if part.type.kind is not Kind.ANY], pointer)

    def _read_own(self, schema: Mapping[str, Any], pointer: str, depth: int) -> Part:
        words = schema.get("type")
        names = [words] if isinstance(words, str) else words if isinstance(words, list) else _guess_types(schema)
        names = [name for name in names if name != "null"]
        if set(names) == {"integer", "number"}:
            names = ["number"]
        options = [self._read_one(schema, name, pointer, depth) for name in names]
        if len(options) < 2:
            return options[0] if options else UNKNOWN
        tags = tuple(Field(option.word, option.type) for option in options)
        return Part(Type(Kind.UNION, fields=tags), pointer, options=tuple(options))

    def _read_one(self, schema: Mapping[str, Any], name: str, pointer: str, depth: int) -> Part:
        if name == "object":
            return self._read_object(schema, pointer, depth)
        if name == "array":
            item = self.read(f"{pointer}/items", depth) if isinstance(schema.get("items"), dict) else UNKNOWN
            item = UNKNOWN if "prefixItems" in schema else item
            return Part(Type(Kind.LIST, item=item.type), pointer, name, item=item)
        type_ = ANY if name == "integer" and _is_beyond_long(schema) else SCALARS.get(name, ANY)
        return Part(type_, pointer, name)

    def _read_object(self, schema: Mapping[str, Any], pointer: str, depth: int) -> Part:
        names = schema.get("properties")
        more = schema.get("additionalProperties")
        wanted = schema.get("required")
        required = frozenset(filter(lambda each: isinstance(each, str), wanted if isinstance(wanted, list) else ()))
        if isinstance(names, dict) and names:
            members = {
                name: self.read(f"{pointer}/properties/{escape(name)}", depth)
                for name in names
                if isinstance(name, str)
            }
            type_ = Type(Kind.STRUCT, fields=tuple(Field(name, part.type) for name, part in members.items()))
            is_closed = more is False and not schema.get("patternProperties")
            return Part(type_, pointer, "object", members, is_closed=is_closed, required=required)
        item = self.read(f"{pointer}/additionalProperties", depth) if isinstance(more, dict) else UNKNOWN
        return Part(map_of(item.type), pointer, "object", item=item, required=required)

    def _unite(self, pointers: Sequence[str], pointer: str, depth: int) -> Part:
        """The union of several schemas. Null is left out: every value may be null."""
        named = [(self._name(each), self.read(each, depth)) for each in pointers if not _is_null(self._get(each))]
        if not named:
            return UNKNOWN
        if not (self.unites_types and pointer == "#"):  # types of a topic differ in their names
            if any(part.type.kind is Kind.ANY for _, part in named):
                return UNKNOWN
            first = named[0][1]
            if all(part.type == first.type for _, part in named):
                return first
            if all(part.type in (INTEGER, DOUBLE) for _, part in named):
                return Part(DOUBLE, pointer)
        tags: dict[str, Part] = {}
        numbers: dict[str, int] = {}
        for name, part in named:
            tag = name
            while tag in tags:
                numbers[name] = numbers.get(name, 1) + 1
                tag = f"{name}_{numbers[name]}"
            tags[tag] = part
        fields = tuple(Field(tag, part.type) for tag, part in tags.items())
        places = [each for each in pointers if not _is_null(self._get(each))]
        options = tuple(
            replace(part, pointer=place, word="") for place, part in zip(places, tags.values(), strict=True)
        )
        return Part(Type(Kind.UNION, fields=fields), pointer, options=options)

    def _name(self, pointer: str) -> str:
        """The tag of an option: its title, the last step of its reference, or its type."""
        schema = self._get(pointer)
        if isinstance(schema.get("title"), str) and schema["title"]:
            return str(schema["title"])[:128]
        if isinstance(schema.get("$ref"), str):
            target = self._find(schema["$ref"], pointer)
            title = (
                self._get(target).get("title") if target is not None and isinstance(self._get(target), dict) else None
            )
            step = unquote(schema["$ref"].rstrip("#/").rpartition("/")[2]).removesuffix(".json").lstrip("#")
            return str(title if isinstance(title, str) and title else step or "schema")[:128]
        name = schema.get("type")
        return name if isinstance(name, str) else next(iter(_guess_types(schema)), "schema")

    def _find(self, reference: str, pointer: str) -> str | None:
        """The place to which a reference leads."""
        address, _, fragment = urljoin(self._find_base(pointer), reference).partition("#")
        if fragment and not fragment.startswith("/"):
            return self.places.get(f"{address}#{fragment}")
        start = self.places.get(address)
        return None if start is None else start + unquote(fragment)

    def _find_base(self, pointer: str) -> str:
        while pointer not in self.bases:
            pointer = pointer.rpartition("/")[0] or "#"
        return self.bases[pointer]

    def _get(self, pointer: str) -> Any:
        found = self.document
        for step in pointer.split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict) and step in found:
                found = found[step]
            elif isinstance(found, list) and step.isdigit() and int(step) < len(found):
                found = found[int(step)]
            else:
                return None
        return found

    def _find_places(self) -> None:
        waiting = [(self.document, "#", BASE)]
        while waiting:
            schema, pointer, base = waiting.pop()
            if isinstance(schema, list):
                waiting += [(each, f"{pointer}/{index}", base) for index, each in enumerate(schema)]
            if not isinstance(schema, dict):
                continue
            own = schema.get("$id")
            if isinstance(own, str) and not own.startswith("#"):
                base = self.bases[pointer] = urljoin(base, own).rstrip("#")
                self.places.setdefault(base, pointer)
            elif isinstance(own, str):
                self.places.setdefault(f"{base}{own}", pointer)
            for word in ("$anchor", "$dynamicAnchor"):
                if isinstance(schema.get(word), str):
                    self.places.setdefault(f"{base}#{schema[word]}", pointer)
            waiting += [
                (each, f"{pointer}/{escape(name)}", base) for name, each in schema.items() if name not in NO_SCHEMAS
            ]


def list_record_types(document: Any) -> list[Mapping[str, Any]]:
    """The schemas of a topic's record types, if the document does nothing but unite them: else nothing.

    They are definitions with a title and an address (`$id`), so that each is whole without the others.
    """
    if not isinstance(document, dict) or document.keys() - {"$schema", "anyOf", "definitions"}:
        return []
    definitions, options = document.get("definitions"), document.get("anyOf")
    if not isinstance(definitions, dict) or not isinstance(options, list):
        return []
    named = {f"#/definitions/{escape(name)}": each for name, each in definitions.items()}
    found = [named.get(unquote(str(each.get("$ref")))) if isinstance(each, dict) else None for each in options]
    whole: list[Mapping[str, Any]] = [
        each for each in found if isinstance(each, dict) and {"$id", "title"} <= each.keys()
    ]
    return whole if len(whole) == len(found) else []


def _merge(parts: Sequence[Part], pointer: str) -> Part:
    """What several schemas say of one value together. Structs have the members of all."""
    if not parts:
        return UNKNOWN
    objects = [part for part in parts if part.type.kind in (Kind.STRUCT, Kind.MAP)]
    unions = [part for part in parts if part.type.kind is Kind.UNION]
    of_objects = [
        each for each in unions if all(option.type.kind in (Kind.STRUCT, Kind.MAP) for option in each.options)
    ]
    if len(parts) == 1 or len(objects) + len(of_objects) < len(parts) or not objects:
        return parts[0]
    members: dict[str, Part] = {}
    for part in (*objects, *(option for each in of_objects for option in each.options)):
        for name, member in part.members.items():
            same = members.get(name)
            members[name] = member if same is None or same.type in (member.type, ANY) else UNKNOWN
    if not members:
        return objects[0]
    fields = tuple(Field(name, part.type) for name, part in members.items())
    required = frozenset(name for each in objects for name in each.required)
    return Part(Type(Kind.STRUCT, fields=fields), pointer, "object", members, required=required)


def _guess_types(schema: Mapping[str, Any]) -> list[str]:
    """The types of a schema that names none, by its values or its keywords."""
    values = (
        schema.get("enum") if isinstance(schema.get("enum"), list) else [schema[w] for w in ("const",) if w in schema]
    )
    if values:
        names = sorted({KINDS.get(type(each), "") for each in values if each is not None})
        return names if len(names) == 1 and names[0] not in ("", "array", "object") else []
    if "properties" in schema:
        return ["object"]
    return ["array"] if "items" in schema else []


def _is_beyond_long(schema: Mapping[str, Any]) -> bool:
    """Whether the schema says itself that its integers need more than 64 bits."""
    bounds = [schema.get(word) for word in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")]
    return any(not isinstance(each, bool | None) and not MIN_LONG <= each <= MAX_LONG + 1 for each in bounds)


def _is_null(schema: Any) -> bool:
    return isinstance(schema, dict) and (
        schema.get("type") == "null" or ("const" in schema and schema["const"] is None)
    )


def _count(schema: Mapping[str, Any], word: str) -> range:
    members = schema.get(word)
    return range(len(members)) if isinstance(members, list) else range(0)


def escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
