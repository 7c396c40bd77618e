"""The LMDB file of a working copy. A process opens it once, grows it when full, and drops it when damaged."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lmdb

FIRST_SIZE = 256 << 20
SPARE = 64 << 20
MAX_READERS = 512


class DiskFull(Exception):
    """The local disk has no room for the working copy of the state."""

    def __init__(self, directory: Path, free: int, needed: int) -> None:
        super().__init__(
            f"The disk of {directory} has {free >> 20:,} MiB left, at least {needed >> 20:,} MiB are needed for the "
            "state. Free some space, or move the state directory to a larger disk."
        )


class CopyFile:
    """An open LMDB environment with the databases `rows` and `facts`. With `reads_only` it makes and writes nothing.

    Nothing is synced: the file need not outlive the host, it is rebuilt. It is written through its memory map, which
    halves the cost of a commit. A full disk would then end the process by a signal, so room is checked beforehand.
    """

    def __init__(self, directory: Path, *, reads_only: bool = False) -> None:
        if not reads_only:
            directory.mkdir(parents=True, exist_ok=True)
        data = directory / "data.mdb"
        length = data.stat().st_size if data.exists() else 0
        self.directory = directory
        self._env = lmdb.open(
            str(directory),
            map_size=max(length, FIRST_SIZE),
            max_dbs=2,
            max_readers=MAX_READERS,
            sync=False,
            metasync=False,
            writemap=True,
            meminit=False,
            readonly=reads_only,
            create=not reads_only,
        )
        self._env.reader_check()  # a killed worker leaves its place in the table of readers, and so old pages
        self._inode = data.stat().st_ino
        # with a map of memory, reading past the end of a cut file would end the process by SIGBUS
        if length and length < (self._env.info()["last_pgno"] + 1) * self._env.stat()["psize"]:
            raise lmdb.CorruptedError("The file is shorter than its pages.")
        self.rows = self._env.open_db(b"rows", create=not reads_only)
        self.facts = self._env.open_db(b"facts", create=not reads_only)

    def is_current(self) -> bool:
        """True if this is still the file at its path. Another process may have removed it."""
        try:
            return os.stat(self.directory / "data.mdb").st_ino == self._inode
        except FileNotFoundError:
            return False

    def read(self) -> Any:
        """Begins a read transaction."""
        try:
            return self._env.begin()
        except lmdb.MapResizedError:
            self._env.set_mapsize(0)
            return self._env.begin()

    def reserve(self, size: int) -> None:
        """Makes the map large enough for a file of so many bytes, so it need not grow during work."""
        if size > self._env.info()["map_size"]:
            self._env.set_mapsize(size)

    def write(self, work: Callable[[Any], None]) -> None:
        """Does the work in a write transaction. If the map gets full, does it again from its start, in a larger map."""
        while True:
            self.check_room()
            try:
                with self._env.begin(write=True) as txn:
                    return work(txn)
            except lmdb.MapFullError:
                self._env.set_mapsize(2 * self._env.info()["map_size"])
            except lmdb.MapResizedError:
                self._env.set_mapsize(0)

    def check_room(self, size: int = 0) -> None:
        """Raises DiskFull if the disk has no room for a transaction, or for a file with rows of so many bytes."""
        disk, taken = os.statvfs(self.directory), os.stat(self.directory / "data.mdb").st_blocks * 512
        needed = max(SPARE, size - taken)
        if (free := disk.f_bavail * disk.f_frsize) < needed:
            raise DiskFull(self.directory, free, needed)

    def close(self) -> None:
        self._env.close()


def count_mapped_bytes(folder: Path) -> int:
    """Bytes of address space that a process needs to read all files below a folder."""
    return sum(max(path.stat().st_size, FIRST_SIZE) for path in folder.rglob("data.mdb"))


_open: dict[tuple[int, Path], CopyFile] = {}


def copy_file(directory: Path, *, reads_only: bool = False) -> CopyFile:
    """The file in a directory, opened once in this process. LMDB allows neither a second time nor use across a fork.
    With two, closing one would drop the locks of the other, because POSIX locks belong to the process.

    A process that only reads raises lmdb.Error if there is none yet.
    """
    open_file = _open.get((os.getpid(), directory))
    if open_file and open_file.is_current():
        return open_file
    if open_file:
        open_file.close()
    new_file = _open[os.getpid(), directory] = CopyFile(directory, reads_only=reads_only)
    return new_file


def remove_file(directory: Path) -> None:
    """Removes the file. Processes that have it open continue with its content until they ask for the file again."""
    if open_file := _open.pop((os.getpid(), directory), None):
        open_file.close()
    shutil.rmtree(directory, ignore_errors=True)
