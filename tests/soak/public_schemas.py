"""Schemas of public repositories, read and written as others do it: `python -m tests.soak.public_schemas FOLDER`.

No schema is copied here: `SCHEMAS` names each one by its repository, commit and path. FOLDER holds a git directory of
each repository as `owner+name/repo` or `owner+name`, with that commit. For each schema it

- takes random values that another library has written (fastavro; Google's protoc and protobuf), or the project's own
  examples (SchemaStore), decodes them, encodes the result, and lets the other library read it: both must be equal.
- gives a JSON Schema its negative examples, too: the verdict must be that of the library jsonschema.

Left out: recursive Avro, for which fastavro makes no values; JSON Schemas that refer to files elsewhere, which are
refused here; and those whose examples break a `format`, which jsonschema does not judge.
"""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import fastavro
import jsonschema  # type: ignore[import-untyped]
from fastavro.utils import generate_many
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc

from designer.avro.text import load
from designer.streams.formats import SCHEMA_FORMATS
from designer.values.schemas import FormatSchema, Side
from runner.engine.formats import DecodeError
from runner.engine.formats.sides import make_decoder_of, make_encoder_of

VALUES = 50


class Place(NamedTuple):
    """Schemas of one repository, all licensed under Apache 2.0. `root` is where imports begin."""

    repository: str
    commit: str
    root: str
    paths: tuple[str, ...]


AVRO = (
    Place(
        "confluentinc/kafka-streams-examples",
        "7b8c252054ce5de7d2d545cc2b2c944e0e0789f6",
        "src/main/resources/avro/io/confluent/examples/streams/",
        (
            "microservices/customer.avsc", "microservices/order.avsc", "microservices/ordervalidation.avsc",
            "microservices/payment.avsc", "pageview.avsc", "pageviewregion.avsc", "pageviewstats.avsc",
            "playevent.avsc", "song.avsc", "songplaycount.avsc", "userprofile.avsc", "wikifeed.avsc",
        ),
    ),
    Place(
        "apache/avro",
        "87212a6d47247a30dff247d16386d722c56d4390",
        "",
        (
            "lang/csharp/src/apache/benchmark/schema/big.avsc",
            "lang/csharp/src/apache/benchmark/schema/small.avsc",
            "lang/java/avro/src/test/resources/SchemaBuilder.avsc",
            "lang/java/avro/src/test/resources/TestRecordWithLogicalTypes.avsc",
            "lang/java/avro/src/test/resources/TestRecordWithMapsAndArrays.avsc",
            "lang/java/avro/src/test/resources/TestUnionRecord.avsc",
            "lang/java/compiler/src/test/resources/full_record_v2.avsc",
            "lang/java/compiler/src/test/resources/logical_types_with_multiple_fields.avsc",
            "lang/java/compiler/src/test/resources/union_and_fixed_fields.avsc",
            "lang/java/integration-test/codegen-test/src/test/resources/avro/nullable_logical_types_array.avsc",
            "lang/java/integration-test/codegen-test/src/test/resources/avro/nested_records_different_namespace.avsc",
        ),
    ),
    Place(
        "apache/gobblin",
        "c10ae0b3978d2dcf950aa7860f2b8e8c1230b4aa",
        "",
        (
            "gobblin-core/src/test/resources/converter/pickfields_nested_with_union.avsc",
            "gobblin-metrics-libs/gobblin-metrics-base/src/main/avro/GobblinTrackingEvent.avsc",
            "gobblin-metrics-libs/gobblin-metrics-base/src/main/avro/MetricReport.avsc",
            "gobblin-modules/gobblin-http/src/main/avro/HttpOperation.avsc",
        ),
    ),
)  # fmt: skip
PROTOBUF = (
    Place(
        "open-telemetry/opentelemetry-proto",
        "ac2c4b5d1f3a6079de62f9afec860158ecc8af09",
        "",
        tuple(
            f"opentelemetry/proto/{name}.proto"
            for name in (
                *("collector/logs/v1/logs_service", "collector/metrics/v1/metrics_service"),
                *("collector/trace/v1/trace_service", "common/v1/common", "logs/v1/logs", "metrics/v1/metrics"),
                *("profiles/v1development/profiles", "resource/v1/resource", "trace/v1/trace"),
            )
        ),
    ),
    Place(
        "googleapis/api-common-protos",
        "3332dec527759859840a3a2ff108c67a54708130",
        "",
        tuple(
            f"google/{name}.proto"
            for name in (
                *("api/auth", "api/backend", "api/distribution", "api/http", "api/httpbody", "api/metric", "api/quota"),
                *("api/monitored_resource", "api/service", "api/usage", "iam/v1/policy", "longrunning/operations"),
                *("logging/type/http_request", "rpc/context/attribute_context", "rpc/error_details", "rpc/status"),
                *("type/color", "type/datetime", "type/expr", "type/money", "type/postal_address", "type/timeofday"),
            )
        ),
    ),
)
JSON = (
    Place(
        "SchemaStore/schemastore",
        "3b6446ad8a077bac56f4a4796c0b7fd88927fc8e",
        "src/",
        (
            *(
                "accelerator",
                "bower",
                "asmdef",
                "base",
                "bun-lock",
                "chart",
                "commitlintrc",
            ),
            *("compile-commands", "container-structure-test", "debugsettings", "dependabot-2.0"),
            *("electron-builder", "esmrc", "feed-1", "function", "github-action"),
            *("jsconfig", "license-report-config", "lerna", "mocharc", "nodemon"),
            *("sarif-2.1.0", "tsconfig", "tslint", "vega", "web-types"),
        ),
    ),
)


class Difference(Exception):
    """What others read is not what was written."""


def main() -> None:
    sys.exit(1 if differing_schemas(Path(sys.argv[1])) else 0)


def differing_schemas(folder: Path) -> int:
    """How many schemas are not read and written as others do it. Names each."""
    wrong = 0
    for places, check in ((AVRO, check_avro), (PROTOBUF, check_protobuf), (JSON, check_json)):
        passed = 0
        for place in places:
            repository = Repository(folder, place)
            for path in place.paths:
                try:
                    done = check(repository, path)
                except Exception as error:  # each schema is judged, and the next ones too
                    wrong += 1
                    print(f"WRONG {place.repository} {path}: {type(error).__name__}: {str(error)[:300]}")
                else:
                    passed += done > 0
        print(f"{check.__name__.removeprefix('check_')}: {passed} schemas")
    return wrong


class Repository:
    """A commit of a repository."""

    def __init__(self, folder: Path, place: Place) -> None:
        named = folder / place.repository.replace("/", "+")
        self.git = named / "repo" if (named / "repo").exists() else named
        self.place = place

    def read(self, path: str) -> str:
        command = ["git", "-C", str(self.git), "show", f"{self.place.commit}:{self.place.root}{path}"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def list(self, under: str) -> list[str]:
        """The files of a folder, named from the root of the place."""
        command = [
            "git",
            "-C",
            str(self.git),
            "ls-tree",
            "--name-only",
            self.place.commit,
            f"{self.place.root}{under}/",
        ]
        names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        return [name.removeprefix(self.place.root) for name in names]


def make_side(format_name: str, text: str, message: str = "") -> Side:
    type_ = SCHEMA_FORMATS[format_name].read_type(text, message)
    return Side(format_name, type_, FormatSchema(text, message=message))


def check_avro(repository: Repository, path: str) -> int:
    text = repository.read(path)
    side = make_side("avro", text)
    decode, encode, schema = make_decoder_of(side), make_encoder_of(side), fastavro.parse_schema(load(text))
    done = 0
    for value in generate_many(schema, VALUES):
        out = io.BytesIO()
        fastavro.schemaless_writer(out, schema, value)
        expected = _read_avro(out.getvalue(), schema)
        found = _read_avro(encode(decode(out.getvalue())), schema)
        if found != expected:
            raise Difference(f"{expected} became {found}")
        done += 1
    return done


def _read_avro(data: bytes, schema: Any) -> Any:
    return fastavro.schemaless_reader(io.BytesIO(data), schema, None)


def check_protobuf(repository: Repository, path: str) -> int:
    texts: dict[str, str] = {}
    _collect(repository, path, texts)
    pool = _compile(texts)
    text = "\n".join(f"// file: {name}\n{each}" for name, each in texts.items())
    done = 0
    for name in pool.FindFileByName(path).message_types_by_name:
        theirs = pool.FindFileByName(path).message_types_by_name[name]
        make = GetMessageClass(theirs)
        side = make_side("protobuf", text, theirs.full_name)
        decode, encode = make_decoder_of(side), make_encoder_of(side)
        for seed in range(VALUES):
            message = make()
            _fill(message, theirs, random.Random(seed))
            data = message.SerializeToString(deterministic=True)
            again = make.FromString(encode(decode(data)))
            if again != message:
                raise Difference(f"{name}: {message} became {again}")
            done += 1
    return done or 1  # a file of enums alone was parsed


def _collect(repository: Repository, path: str, texts: dict[str, str]) -> None:
    texts[path] = repository.read(path)
    for line in texts[path].splitlines():
        if line.startswith("import "):
            name = line.split('"')[1]
            if not name.startswith("google/protobuf/") and name not in texts:
                _collect(repository, name, texts)


def _compile(texts: Mapping[str, str]) -> DescriptorPool:
    """The files as Google's own compiler reads them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        out = Path(folder, "out")
        well_known = Path(protoc.__file__).with_name("_proto")
        status = protoc.main(
            ["", f"-I{folder}", f"-I{well_known}", "--include_imports", f"--descriptor_set_out={out}", *texts]
        )
        if status:
            raise Difference("protoc does not accept it")
        pool = DescriptorPool()
        for file_proto in FileDescriptorSet.FromString(out.read_bytes()).file:
            pool.Add(file_proto)
        return pool


LEAVES: Mapping[int, Callable[[random.Random], Any]] = {
    FieldDescriptor.CPPTYPE_INT32: lambda draw: draw.randint(-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: lambda draw: draw.randint(-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: lambda draw: draw.randint(0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: lambda draw: draw.randint(0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_DOUBLE: lambda draw: draw.uniform(-1e9, 1e9),
    FieldDescriptor.CPPTYPE_FLOAT: lambda draw: draw.randint(-1000, 1000) / 8,
    FieldDescriptor.CPPTYPE_BOOL: lambda draw: draw.random() < 0.5,
}


def _fill(message: Any, descriptor: Descriptor, draw: random.Random, depth: int = 0) -> None:
    match descriptor.full_name:
        case "google.protobuf.Timestamp":
            message.seconds, message.nanos = draw.randint(0, 2**32), draw.randint(0, 999_999) * 1_000
            return
        case "google.protobuf.Duration":
            message.seconds = draw.randint(-1_000, 1_000)
            return
        case "google.protobuf.Struct":
            message.update({"a": draw.random(), "b": [None, "x"]})
            return
        case "google.protobuf.Value":
            message.string_value = "v"
            return
        case "google.protobuf.ListValue":
            message.extend([1.0, True])
            return
    for field in descriptor.fields:
        if (
            depth > 4
            or draw.random() < 0.3
            or (field.containing_oneof and message.WhichOneof(field.containing_oneof.name))
        ):
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            value = field.message_type.fields_by_name["value"]
            entries = getattr(message, field.name)
            key = _leaf(field.message_type.fields_by_name["key"], draw)
            if value.message_type is None:
                entries[key] = _leaf(value, draw)
            else:
                _fill(entries[key], value.message_type, draw, depth + 1)
        elif field.message_type is not None:
            for _ in range(draw.randint(0, 2) if field.is_repeated else 1):
                inner = getattr(message, field.name)
                inner = inner.add() if field.is_repeated else inner
                inner.SetInParent()
                _fill(inner, field.message_type, draw, depth + 1)
        elif field.is_repeated:
            getattr(message, field.name).extend([_leaf(field, draw) for _ in range(draw.randint(0, 3))])
        else:
            setattr(message, field.name, _leaf(field, draw))


def _leaf(field: FieldDescriptor, draw: random.Random) -> Any:
    if field.enum_type is not None:
        return draw.choice([value.number for value in field.enum_type.values])
    if field.type == FieldDescriptor.TYPE_BYTES:
        return draw.randbytes(5)
    if field.type == FieldDescriptor.TYPE_STRING:
        return draw.choice(["", "a", "Äpfel 😀"])
    return LEAVES[field.cpp_type](draw)


def check_json(repository: Repository, path: str) -> int:
    text = repository.read(f"schemas/json/{path}.json")
    side = make_side("json_schema", text)
    decode, encode, judge = (
        make_decoder_of(side),
        make_encoder_of(side),
        jsonschema.validators.validator_for(json.loads(text)),
    )
    validator = judge(json.loads(text))
    done = 0
    for document in _list_examples(repository, path):
        is_valid = validator.is_valid(json.loads(document))
        try:
            value = decode(document.encode())
        except DecodeError as error:
            if is_valid:
                raise Difference(f"it refuses a valid example: {error}") from error
        else:
            if not is_valid:
                raise Difference("it reads an example that jsonschema refuses")
            if json.loads(encode(value)) != json.loads(document):
                raise Difference("an example changed")
        done += 1
    return done


def _list_examples(repository: Repository, name: str) -> Iterator[str]:
    for kind in ("test", "negative_test"):
        for path in repository.list(f"{kind}/{name}"):
            if path.endswith(".json"):
                yield repository.read(path)


if __name__ == "__main__":
    main()
