"""Checks whether a file of a checkpoint is as it was written.

Spark writes each file through Hadoop's checksum file system: beside `N` is `.N.crc`, with a CRC-32 of every 512 bytes
(`org.apache.hadoop.fs.ChecksumFileSystem`). A copy without the hidden files has none, so its form must do.
"""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from itertools import zip_longest

import orjson

from runner.spark.checkpoint.hadoop import ChecksumWrong, File, HadoopPath

MISSING, EMPTY, CUT, WRONG_SUM = "is missing", "is empty", "is cut off", "does not match its checksum"
VERSION = re.compile(rb"v\d+")
MAGIC = b"crc\0"
HEADER = struct.Struct(">4sI")
BLOCK = struct.Struct("<8sBIII")
"""Header of a block of LZ4 (`net.jpountz.lz4.LZ4BlockOutputStream`): magic, token, its length, that of its data."""


def find_fault(path: File) -> str | None:
    """The fault of a file, as the rest of a sentence. None if the file is intact.

    Raises OSError if its file system does not return it: that says nothing about the file.
    """
    try:
        if not path.exists():
            return MISSING
        if not path.stat().st_size:
            return EMPTY
        sums = _read_sums(path)
        return _find_wrong_form(path) if sums is None else _find_difference(path, *sums)
    except (FileNotFoundError, IsADirectoryError):
        return MISSING
    except ChecksumWrong:
        return WRONG_SUM


def find_size_fault(path: File, size: int) -> str | None:
    """The fault of a large file, found by its size alone."""
    if not path.exists():
        return MISSING
    return None if path.stat().st_size == size else CUT


def write(path: File, content: bytes) -> None:
    """Replace a file, so that a reader sees the old content or the new one, and never a part.

    1. Write the content beside it.
    2. Remove the checksum of the old content. A file without a checksum is not compared to any, by Hadoop's rules.
    3. Rename the new file over the old one.

    A crash before 3 leaves the old content, without its checksum after 2: it is still readable, and its form is
    checked instead (`find_fault`). With 2 after 3, a crash would leave new content beside an old checksum, which Spark
    refuses to read.
    """
    if isinstance(path, HadoopPath) and path.is_on_s3:
        path.write_bytes(content)  # a rename would copy and delete, with no file in between
        _get_file_beside(path).unlink(missing_ok=True)
        return
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(content)  # 1
    _get_file_beside(path).unlink(missing_ok=True)  # 2
    beside.replace(path)  # 3


def remove(path: File) -> None:
    """Removes a file with its checksums."""
    path.unlink(missing_ok=True)
    _get_file_beside(path).unlink(missing_ok=True)


def _get_file_beside(path: File) -> File:
    return path.with_name(f".{path.name}.crc")


def _read_sums(path: File) -> tuple[int, list[int]] | None:
    """The bytes that a checksum covers, and the checksums. None if there are none, by Hadoop's rules."""
    beside = _get_file_beside(path)
    content = beside.read_bytes() if beside.exists() else b""
    magic, chunk = HEADER.unpack_from(content) if len(content) >= HEADER.size else (b"", 0)
    if magic != MAGIC or not chunk:
        return None
    count = (len(content) - HEADER.size) // 4
    return chunk, list(struct.unpack_from(f">{count}I", content, HEADER.size))


def _find_difference(path: File, chunk: int, sums: list[int]) -> str | None:
    with path.open("rb") as file:
        chunks = iter(lambda: file.read(chunk), b"")
        for data, checksum in zip_longest(chunks, sums):
            if data is None:
                return CUT
            if zlib.crc32(data) != checksum:
                return WRONG_SUM
    return None


def _find_wrong_form(path: File) -> str | None:
    """The fault of a file that can be found without checksums."""
    try:
        match path.suffix:
            case ".zip":
                # from bytes, because a cut file makes the archive seek where the system fails
                with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
                    return WRONG_SUM if archive.testzip() else None
            case ".changelog":
                return None if _ends_well(path.read_bytes()) else CUT
            case ".sst":
                return None
            case _ if "_stateSchema" in path.parts:
                return None
            case _:
                lines = [line for line in path.read_bytes().splitlines() if not VERSION.fullmatch(line)]
                min_lines = 2 if path.parent.name == "offsets" else 1
                return None if len(list(map(orjson.loads, lines))) >= min_lines else CUT
    except (ValueError, zipfile.BadZipFile):
        return CUT


def _ends_well(data: bytes) -> bool:
    """True if blocks of LZ4 follow each other up to an empty one."""
    at = 0
    while at + BLOCK.size <= len(data):
        _, _, length, content, _ = BLOCK.unpack_from(data, at)
        at += BLOCK.size + length
        if not content:
            return True
    return False
