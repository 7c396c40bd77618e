"""`.proto` files as descriptors. proto-schema-parser reads the text; protobuf's descriptor pool judges the result.

What no record needs is left out: services, extensions, reserved numbers, and all options but those that change how
bytes are read. An import that is not there counts only if a type of it is used.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from antlr4.error.ErrorListener import ErrorListener
from google.protobuf import (
    any_pb2,
    api_pb2,
    descriptor_pb2,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    source_context_pb2,
    struct_pb2,
    text_encoding,
    timestamp_pb2,
    type_pb2,
    wrappers_pb2,
)
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
)
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError
from proto_schema_parser import ast
from proto_schema_parser.parser import Parser

from designer.issues import SchemaNotRead
from designer.messages import IssueCode

MAIN = "main.proto"
MAX_DEPTH = 64
MAX_FILES = 300
MARKER = re.compile(r"^//[ \t]*file:[ \t]*(\S+)[ \t]*$", re.MULTILINE)
"""The line before an imported file in a text."""
NAMES_RESERVED = re.compile(r"\breserved\s+[A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*\s*;")
"""Editions reserve names without quotes, which the parser does not read."""
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
BUILT_IN: Mapping[str, bytes] = {
    module.DESCRIPTOR.name: module.DESCRIPTOR.serialized_pb
    for module in (
        any_pb2,
        api_pb2,
        descriptor_pb2,
        duration_pb2,
        empty_pb2,
        field_mask_pb2,
        source_context_pb2,
        struct_pb2,
        timestamp_pb2,
        type_pb2,
        wrappers_pb2,
    )
}
"""The files that every compiler of Protobuf has."""
COMMON: Mapping[str, str] = {
    "confluent/type/decimal.proto": "package confluent.type; message Decimal "
    "{ bytes value = 1; uint32 precision = 2; int32 scale = 3; }",
    "google/type/date.proto": "package google.type; message Date { int32 year = 1; int32 month = 2; int32 day = 3; }",
    "google/type/decimal.proto": "package google.type; message Decimal { string value = 1; }",
    "google/type/latlng.proto": "package google.type; message LatLng { double latitude = 1; double longitude = 2; }",
    "google/type/money.proto": "package google.type; message Money "
    "{ string currency_code = 1; int64 units = 2; int32 nanos = 3; }",
    "google/type/timeofday.proto": "package google.type; message TimeOfDay "
    "{ int32 hours = 1; int32 minutes = 2; int32 seconds = 3; int32 nanos = 4; }",
}
"""Files that Confluent's registry has without references, in proto3."""
SCALARS = {
    name: getattr(FieldDescriptorProto, f"TYPE_{name.upper()}")
    for name in (
        *("double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string", "bytes", "uint32"),
        *("sfixed32", "sfixed64", "sint32", "sint64"),
    )
}
LABELS = {
    ast.FieldCardinality.REQUIRED: FieldDescriptorProto.LABEL_REQUIRED,
    ast.FieldCardinality.REPEATED: FieldDescriptorProto.LABEL_REPEATED,
}


def split_files(text: str) -> dict[str, str]:
    """The files of a text by their paths. The first is the main one."""
    main, *others = MARKER.split(text)
    if others:
        main, *others = (each.strip("\n") for each in (main, *others))
    files = dict(zip(others[::2], others[1::2], strict=True))
    if not main.strip() and files:  # the first file has a path, too
        return files
    return {MAIN: main} | files


def build(files: Mapping[str, str]) -> tuple[DescriptorPool, FileDescriptor, Callable[[], None]]:
    """The main file and those that it imports in a pool of their own, the main one, and what adds all others.

    Raises SchemaNotRead.
    """
    if len(files) > MAX_FILES:
        raise SchemaNotRead(IssueCode.PROTOBUF_INVALID, {"why": f"it has more than {MAX_FILES} files"})
    pool = DescriptorPool()
    read: dict[str, FileDescriptorProto] = {}
    absent = set[str]()

    def add(name: str, path: tuple[str, ...]) -> bool:
        """Adds a file after those that it imports. Returns whether it is there."""
        if name in path:
            circle = " → ".join((*path[path.index(name) :], name))
            raise SchemaNotRead(IssueCode.PROTOBUF_CIRCLE, {"circle": circle[:300]})
        if name in read:
            return True
        if name in files:
            proto = _read_file(name, files[name])
        elif name in BUILT_IN:
            proto = FileDescriptorProto.FromString(BUILT_IN[name])
        elif name in COMMON:
            proto = _read_file(name, f'syntax = "proto3"; {COMMON[name]}')
        else:
            absent.add(name)
            return False
        if len(path) >= MAX_FILES:
            raise SchemaNotRead(IssueCode.PROTOBUF_INVALID, {"why": "its imports nest too deep"})
        _keep_imports(proto, [add(each, (*path, name)) for each in proto.dependency])
        try:
            pool.Add(proto)
        except TypeError as error:
            why = _explain(str(error))
            if absent:
                why += f"; these imports are missing: {', '.join(sorted(absent))[:300]}"
            raise SchemaNotRead(IssueCode.PROTOBUF_INVALID, {"why": why}) from error
        read[name] = proto
        return True

    def add_others() -> None:
        for name in files:
            add(name, ())

    main = next(iter(files))
    add(main, ())
    return pool, pool.FindFileByName(main), add_others


def _explain(why: str) -> str:
    return why.removeprefix("Couldn't build proto file into descriptor pool: ").rstrip(".")[:300]


def _keep_imports(proto: FileDescriptorProto, are_there: list[bool]) -> None:
    """Leaves out the imports that are not there. Public ones are named by their place."""
    kept = [index for index, is_there in enumerate(are_there) if is_there]
    places = {index: place for place, index in enumerate(kept)}
    public = [places[index] for index in proto.public_dependency if index in places]
    names = [proto.dependency[index] for index in kept]
    del proto.dependency[:], proto.public_dependency[:], proto.weak_dependency[:]
    proto.dependency.extend(names)
    proto.public_dependency.extend(public)


def _read_file(name: str, text: str) -> FileDescriptorProto:
    stripped = text.strip()
    if BASE64.fullmatch(stripped) and stripped:
        try:
            proto = FileDescriptorProto.FromString(base64.b64decode(stripped, validate=True))
        except (binascii.Error, DecodeError) as error:
            raise SchemaNotRead(IssueCode.PROTOBUF_INVALID, {"why": "it is no serialized descriptor"}) from error
        proto.name = name
        del proto.extension[:]
        return proto
    try:
        file = Parser(setup_lexer=_Errors.listen, setup_parser=_Errors.listen).parse(NAMES_RESERVED.sub("", text))
        return _FileWriter(name, file).proto
    except _SyntaxError as error:
        raise SchemaNotRead(IssueCode.PROTOBUF_SYNTAX, {"line": error.line, "why": str(error)[:200]}) from error
    except RecursionError as error:
        raise SchemaNotRead(IssueCode.PROTOBUF_INVALID, {"why": "it nests too deep"}) from error
    except (AttributeError, ValueError, TypeError, IndexError) as error:  # the parser, of what it half understood
        raise SchemaNotRead(IssueCode.PROTOBUF_INVALID, {"why": f"it cannot be read ({error})"[:200]}) from error


class _SyntaxError(ValueError):
    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


class _Errors(ErrorListener):  # type: ignore[misc]
    """Stops at the first error; by default the parser prints it and goes on."""

    @classmethod
    def listen(cls, recognizer: Any) -> None:
        recognizer.removeErrorListeners()
        recognizer.addErrorListener(cls())

    def syntaxError(self, recognizer: Any, symbol: Any, line: int, column: int, msg: str, e: Any) -> None:  # noqa: N802, N803, RUF100
        raise _SyntaxError(line, msg.partition(" expecting {")[0])


class _FileWriter:
    """The descriptor of one parsed file. Types keep the names that they have in the text: the pool resolves them."""

    def __init__(self, name: str, file: ast.File) -> None:
        self.is_proto3 = file.syntax == "proto3"
        self.proto = proto = FileDescriptorProto(name=name)
        imports = set[str]()
        if file.edition is not None:
            proto.syntax, proto.edition = "editions", descriptor_pb2.Edition.Value(f"EDITION_{file.edition}")
        elif self.is_proto3:
            proto.syntax = "proto3"
        elif file.syntax not in (None, "proto2"):
            raise ValueError(f"unknown syntax {file.syntax}")
        for element in file.file_elements:
            match element:
                case ast.Package(name=package):
                    proto.package = package
                case ast.Import(name=path, public=is_public):
                    if path not in imports:
                        imports.add(path)
                        proto.dependency.append(path)
                        if is_public:
                            proto.public_dependency.append(len(proto.dependency) - 1)
                case ast.Option():
                    _write_features([element], lambda: proto.options.features)
                case ast.Message():
                    self._write_message(element.elements, proto.message_type.add(name=element.name), 1)
                case ast.Enum():
                    self._write_enum(element, proto.enum_type.add())

    def _write_message(self, elements: Iterable[Any], proto: DescriptorProto, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise RecursionError
        optional = []
        for element in elements:
            match element:
                case ast.Field() | ast.Group():
                    field = self._write_field(element, proto, depth)
                    if self.is_proto3 and element.cardinality is ast.FieldCardinality.OPTIONAL:
                        optional.append(field)
                case ast.MapField():
                    self._write_map(element, proto)
                case ast.OneOf(name=name, elements=members):
                    proto.oneof_decl.add(name=name)
                    number = len(proto.oneof_decl) - 1
                    for member in members:
                        if isinstance(member, ast.Field | ast.Group):
                            self._write_field(member, proto, depth).oneof_index = number
                case ast.Message():
                    self._write_message(element.elements, proto.nested_type.add(name=element.name), depth + 1)
                case ast.Enum():
                    self._write_enum(element, proto.enum_type.add())
                case ast.Option(name="message_set_wire_format", value=True):
                    raise ValueError("it uses MessageSet, which nobody reads any more")
                case ast.Option():
                    _write_features([element], lambda: proto.options.features)
        for field in optional:  # an optional field of proto3 is alone in a oneof, behind all others
            field.proto3_optional = True
            proto.oneof_decl.add(name=f"_{field.name}")
            field.oneof_index = len(proto.oneof_decl) - 1

    def _write_field(self, field: ast.Field | ast.Group, proto: DescriptorProto, depth: int) -> FieldDescriptorProto:
        label = (
            LABELS.get(field.cardinality, FieldDescriptorProto.LABEL_OPTIONAL)
            if field.cardinality
            else (FieldDescriptorProto.LABEL_OPTIONAL)
        )
        if isinstance(field, ast.Group):
            self._write_message(field.elements, proto.nested_type.add(name=field.name), depth + 1)
            written = proto.field.add(name=field.name.lower(), number=field.number, label=label, type_name=field.name)
            written.type = FieldDescriptorProto.TYPE_GROUP
            return written
        written = proto.field.add(name=field.name, number=field.number, label=label)
        _set_type(written, field.type)
        for option in field.options:
            if option.name == "packed":
                written.options.packed = option.value is True
            elif option.name == "default":
                written.default_value = _write_default(option.value, field.type)
        _write_features(field.options, lambda: written.options.features)
        return written

    def _write_map(self, field: ast.MapField, proto: DescriptorProto) -> None:
        name = "".join(part[:1].upper() + part[1:] for part in field.name.split("_")) + "Entry"
        entry = proto.nested_type.add(name=name)
        entry.options.map_entry = True
        for member, number, type_ in (("key", 1, field.key_type), ("value", 2, field.value_type)):
            _set_type(entry.field.add(name=member, number=number, label=FieldDescriptorProto.LABEL_OPTIONAL), type_)
        written = proto.field.add(name=field.name, number=field.number, label=FieldDescriptorProto.LABEL_REPEATED)
        written.type, written.type_name = FieldDescriptorProto.TYPE_MESSAGE, name
        _write_features(field.options, lambda: written.options.features)

    def _write_enum(self, enum: ast.Enum, proto: EnumDescriptorProto) -> None:
        proto.name = enum.name
        for element in enum.elements:
            match element:
                case ast.EnumValue():
                    proto.value.add(name=element.name, number=element.number)
                case ast.Option(name="allow_alias", value=True):
                    proto.options.allow_alias = True
                case ast.Option():
                    _write_features([element], lambda: proto.options.features)


def _set_type(field: FieldDescriptorProto, name: str) -> None:
    if name in SCALARS:
        field.type = SCALARS[name]
    else:
        field.type_name = name


def _write_default(value: Any, type_: str) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case ast.Identifier(name=name):
            return str(name)
        case str() if type_ == "string":
            return str(text_encoding.CUnescape(value), "utf-8")
        case _:
            return str(value)


def _write_features(options: Iterable[ast.Option], get: Callable[[], FeatureSet]) -> None:
    """The features of an edition, such as `features.field_presence = IMPLICIT`. Other options change no bytes."""
    for option in options:
        if option.name == "features" and isinstance(option.value, ast.MessageLiteral):
            members = [each for each in option.value.elements if isinstance(each, ast.MessageLiteralField)]
            pairs = [(each.name, each.value) for each in members]
        else:
            pairs = (
                [(option.name.removeprefix("features."), option.value)] if option.name.startswith("features.") else []
            )
        for name, value in pairs:
            known = FeatureSet.DESCRIPTOR.fields_by_name.get(name)
            if known is not None and known.enum_type is not None and isinstance(value, ast.Identifier):
                number = known.enum_type.values_by_name.get(value.name)
                if number is None:
                    raise ValueError(f"the feature {name} has no value {value.name}")
                setattr(get(), name, number.number)
