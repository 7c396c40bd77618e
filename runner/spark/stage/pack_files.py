"""Large packs of a run on one host are files: Java then moves their names instead of their bytes.

A pack is read once, by the next stage or by the writer. Its file is free then, and the next pack is written over it: to
write into fresh pages of a file takes five times as long.

1. A writer takes a free file by giving it a new name, or makes one. Only one process can rename a file.
2. It writes the pack, and sends name and length instead.
3. The reader copies the pack, and then gives the file its free name.

A name is used once, so a reader finds exactly the pack that was sent, or no file, which fails the batch. Files of a
batch that failed stay until the next query of the run, or the next run.
"""

from __future__ import annotations

import itertools
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pyarrow as pa

from runner.spark.variables import find_local_folder

LARGE = 1 << 16
"""Bytes of records from which a pack becomes a file. To write and read one takes about 0.1 ms besides its bytes."""
VERY_LARGE = 1 << 22
"""Bytes of records from which the file is compressed: so many are written and read more slowly than LZ4 takes."""
MOST_FREE, MOST_FREE_BYTES = 64, 1 << 28
"""Free files that are kept, and about how many bytes of disk they take."""
PACKS = "packs"
MARK = b"@"
"""The first byte of a pack in a file. Any other begins with Arrow's 0xFF."""
_numbers = itertools.count()


def find_folder() -> Path | None:
    """The folder for files of packs in a worker, inside the one that Spark makes for this run. None elsewhere."""
    local = find_local_folder()
    return None if local is None else local / PACKS


def clear() -> None:
    """Remove all files, in the process of the run: nobody reads those of a failed batch. No batch may run meanwhile."""
    if local := find_local_folder():
        for folder in local.glob(f"*/{PACKS}"):
            shutil.rmtree(folder, ignore_errors=True)


def write(records: pa.RecordBatch, folder: Path, options: pa.ipc.IpcWriteOptions) -> bytes | None:
    """Write records into a file, and return its name as a pack. None if the disk does not take it: it may be full.

    `options` hold for very large packs, and say how these are compressed.
    """
    file = folder / f"{os.getpid()}-{next(_numbers)}"
    try:
        _take_free(folder, file)
        with (
            # not unbuffered: a raw write may take a part only, and says so where nobody looks
            open(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as sink,
            pa.ipc.new_stream(
                pa.PythonFile(sink, "w"), records.schema, options=options if records.nbytes >= VERY_LARGE else None
            ) as stream,
        ):
            stream.write_batch(records)
            stream.close()
            length = sink.tell()
    except OSError:
        with suppress(OSError):
            file.unlink()
        return None
    return MARK + f"{length}:{file}".encode()


def read(pack: bytes, options: pa.ipc.IpcReadOptions) -> pa.RecordBatch:
    """The records of a pack in a file. Raises OSError."""
    length, _, name = pack[len(MARK) :].decode().partition(":")
    with open(name, "rb") as source:
        data = source.read(int(length))
    file = Path(name)
    free = file.parent / "free"
    if len(os.listdir(free)) < min(MOST_FREE, MOST_FREE_BYTES // int(length)):
        file.rename(free / file.name)
    else:
        file.unlink()
    return pa.ipc.open_stream(pa.py_buffer(data), options=options).read_next_batch()


def _take_free(folder: Path, file: Path) -> None:
    """Gives a free file the name of `file`, if there is one."""
    free = folder / "free"
    try:
        names = os.listdir(free)
    except FileNotFoundError:
        free.mkdir(parents=True, exist_ok=True)
        return
    for name in names:
        with suppress(FileNotFoundError):  # another process took it first
            os.rename(free / name, file)
            return
