"""Checkpoints as Spark leaves them, file by file with its checksum, and ways to damage them."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

import orjson

from runner.plan import Plan
from runner.spark.program import make_program

CHUNK = 512
END = struct.pack("<8sBIII", b"LZ4Block", 0x15, 0, 0, 0)
QUERY = "5d15c400-8e1c-429b-8f2f-7954238e7188"


def put(path: Path, content: bytes) -> Path:
    """A file with its checksums beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    sums = [zlib.crc32(content[at : at + CHUNK]) for at in range(0, len(content), CHUNK)]
    path.with_name(f".{path.name}.crc").write_bytes(struct.pack(f">4sI{len(sums)}I", b"crc\0", CHUNK, *sums))
    return path


def leave_checkpoint(plan: Plan, batches: int, snapshots: tuple[int, ...] = (), committed: int | None = None) -> Path:
    """What a run of a plan leaves that has planned so many batches, each of ten records of each partition.

    It has executed all of them, or as many as `committed`. Of each slot there are snapshots of these versions.
    """
    done = batches if committed is None else committed
    folder, program = Path(plan.checkpoint), make_program(plan)
    put(folder / "metadata", orjson.dumps({"id": QUERY}))
    for batch in range(batches):
        put(folder / "offsets" / str(batch), planned(plan, batch))
    for batch in range(done):
        put(folder / "commits" / str(batch), b'v1\n{"nextBatchWatermarkMs":0}')
    for operator in range(len(program.operators)):
        state = folder / "state" / str(operator)
        put(state / "_metadata" / "v2" / "0", b'v2\n{"operatorInfo":{}}')
        put(state / "_stateSchema" / "default" / "0_a08c105b", b"\x00\x05schema")
        for slot in range(plan.slots):
            for version in range(1, done + 1):
                put(state / str(slot) / f"{version}.changelog", changes(version))
            for version in snapshots:
                put(state / str(slot) / f"{version}.zip", snapshot(version))
                put(state / str(slot) / "SSTs" / f"{version}.sst", b"table " * version * 300)
    return folder


def planned(plan: Plan, batch: int, settings: Mapping[str, str] | None = None) -> bytes:
    """The offsets of a batch as Spark records them."""
    streams = {name: [10 * (batch + 1)] * facts.partitions for name, facts in plan.topics.items()}
    head = {"batchWatermarkMs": 0, "batchTimestampMs": batch, "conf": settings or {"spark.sql.shuffle.partitions": "2"}}
    return b"v1\n" + orjson.dumps(head) + b"\n" + orjson.dumps({"time": 1_000 + batch, "streams": streams})


def changes(version: int) -> bytes:
    data = f"changes of version {version}".encode() * 40
    return struct.pack("<8sBIII", b"LZ4Block", 0x15, len(data), len(data), 0) + data + END


def snapshot(version: int) -> bytes:
    tables = [{"localFileName": "8.sst", "dfsSstFileName": f"{version}.sst", "sizeBytes": 6 * version * 300}]
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr("metadata", b"v1\n" + orjson.dumps({"sstFiles": tables}))
    return buffer.getvalue()


def cut(path: Path) -> None:
    """Half of it is there."""
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    """One of its bytes is another."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x20
    path.write_bytes(content)


def lose(path: Path) -> None:
    path.unlink()


DAMAGES: tuple[Callable[[Path], None], ...] = (cut, empty, flip)
