"""Files that workers of a Spark cluster need: Python packages and our code, as archives that Spark sends along.

A worker host has Java, Spark and the Python of `name_version()`. Archives are made once per content, below the
home folder. `python -m runner.spark.session.worker_files FOLDER` makes both ahead of the first run.
"""

from __future__ import annotations

import compileall
import fcntl
import hashlib
import os
import platform
import shutil
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from py_compile import PycInvalidationMode
from tempfile import TemporaryDirectory

PACKAGES = (
    "annotated-types",
    "antlr4-python3-runtime",
    "confluent-kafka",
    "google-re2",
    "jsonschema-rs",
    "lmdb",
    "msgpack",
    "numpy",
    "orjson",
    "proto-schema-parser",
    "protobuf",
    "pyarrow",
    "pydantic",
    "pydantic-core",
    "sqlglot",
    "typing-extensions",
    "typing-inspection",
    "tzdata",
)
"""Packages that a worker imports, except PySpark, which comes with Spark."""
CODE = ("designer", "runner")
LEFT_OUT = frozenset({"tests", "include", "__pycache__", "migrations", "node_modules"})
ARROW_CLIENTS = ("libarrow_flight.", "_flight.", "libarrow_s3.", "_s3fs.")
"""Prefixes of pyarrow's files that talk to servers: a fifth of all that an executor would unpack."""
ROOT = Path(__file__).resolve().parents[3]
PYTHONPATH = "code:packages"
"""Folders where an executor finds them, below its working folder."""

Members = Iterable[tuple[Path, Path]]
"""Files, each with its path in an archive."""


def make_archives(folder: Path, own: Path | None = None) -> str:
    """Both archives in the form of `spark.archives`. Makes missing ones, or waits while another process makes them.

    With `own`, a run's folder, the run gets links to them there: `folder` keeps only those of the newest version, and
    Spark sends them to each executor that comes later.
    """
    folder.mkdir(parents=True, exist_ok=True)
    code = list(_list_code_files())
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        packages = _make_archive(folder, "packages", _make_packages_key(), _list_package_files)
        archives = {"packages": packages, "code": _make_archive(folder, "code", _make_code_key(code), lambda: code)}
        return ",".join(f"{_link(each, own) if own else each}#{name}" for name, each in archives.items())


def name_version() -> str:
    """The Python version that the packages are for: `python3.11`."""
    return f"python{sys.version_info.major}.{sys.version_info.minor}"


def _make_archive(folder: Path, name: str, key: str, members: Callable[[], Members]) -> Path:
    """The archive with that key. Archives with other keys are removed, unless a run of 0.1.0 has them."""
    archive = folder / f"{name}-{key}.tar.gz"
    if not archive.exists():
        _write(archive, members())
        for other in folder.glob(f"{name}-*.tar.gz"):
            if other != archive and not _is_named(other):
                other.unlink(missing_ok=True)
    return archive


def _is_named(archive: Path) -> bool:
    """Whether a process names it. Runs of 0.1.0 took no links: Spark's command line has its place."""
    place = f"{archive.parent.name}/{archive.name}".encode()
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # the process has ended
            if place in command.read_bytes():
                return True
    return False


def _link(archive: Path, own: Path) -> Path:
    """A link in a run's folder, or a copy if that is on another disk."""
    own.mkdir(parents=True, exist_ok=True)
    (link := own / archive.name).unlink(missing_ok=True)
    try:
        os.link(archive, link)
    except OSError:
        shutil.copyfile(archive, link)
    return link


def _write(archive: Path, members: Members) -> None:
    """Compiles the files, so executors need not, and packs them."""
    with TemporaryDirectory(dir=archive.parent) as folder:
        content = Path(folder) / "content"
        for source, place in members:
            (content / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, content / place)
        compileall.compile_dir(content, quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
        new_archive = Path(folder) / archive.name
        with tarfile.open(new_archive, "w:gz", compresslevel=1) as to:
            to.add(content, ".")
        new_archive.replace(archive)


def _make_packages_key() -> str:
    versions = [(name, metadata.version(name)) for name in PACKAGES]
    return _hash_text(repr((versions, ARROW_CLIENTS, platform.python_version(), platform.machine())).encode())


def _list_package_files() -> Iterator[tuple[Path, Path]]:
    for name in PACKAGES:
        for file in metadata.files(name) or ():
            if ".." not in file.parts and not LEFT_OUT & set(file.parts) and not file.name.startswith(ARROW_CLIENTS):
                yield Path(str(file.locate())), Path(file)


def _list_code_files() -> Iterator[tuple[Path, Path]]:
    for name in CODE:
        for folder, folders, files in os.walk(ROOT / name):
            folders[:] = sorted(set(folders) - LEFT_OUT)
            for file in sorted(files):
                path = Path(folder, file)
                yield path, path.relative_to(ROOT)


def _make_code_key(files: Members) -> str:
    return _hash_text(b"".join(str(place).encode() + b"\0" + source.read_bytes() for source, place in files))


def _hash_text(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


if __name__ == "__main__":
    print(*make_archives(Path(sys.argv[1])).split(","), sep="\n")
