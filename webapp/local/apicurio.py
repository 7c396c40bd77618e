"""Apicurio Registry, run as our child for `make run REGISTRY=1` and for tests. It serves Confluent's API.

2.6 is the newest line that runs on Java 17. It is a folder of jars in one archive of 142 MB, so only those who want it
fetch it.
"""

import shutil
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

from .jars import Jar, fetch
from .java import find_java
from .process import ChildProcess
from .server import Server

ARCHIVE = Jar(
    "apicurio",
    "io.apicurio",
    "apicurio-registry-app",
    "2.6.13.Final",
    "3cda1b34aa020fb4ac4dd6a66018d757e81e437f97e20a1f92d366b70091c6ba",
    classifier="all",
    extension="tar.gz",
)
RUNNER = f"{ARCHIVE.artifact}-{ARCHIVE.version}-runner.jar"
HEAP = "256m"
H2 = "WRITE_DELAY=0;AUTO_COMPACT_FILL_RATE=0;MAX_COMPACT_TIME=0"
"""Writes each schema at once and never compacts the file: H2 2.3 may lose the rows of a file that it compacts while it
closes (h2database #4247). Once, all schemas of a registry were gone after a restart.
"""


def find_folder(jars: Path) -> Path:
    """Where `install` puts it."""
    return jars / ARCHIVE.folder / ARCHIVE.version


def install(jars: Path, ivy_jar: Path) -> Path:
    """Fetches and unpacks Apicurio into the folder of jars unless it is there, and returns its folder."""
    place = find_folder(jars)
    if not place.exists():
        fetch([ARCHIVE], jars, ivy_jar)
        archive, unpacked = place.with_name(ARCHIVE.file), place.with_name("unpacked")
        shutil.rmtree(unpacked, ignore_errors=True)
        with tarfile.open(archive) as files:
            files.extractall(unpacked, filter="data")
        unpacked.replace(place)
        archive.unlink()
    return place


class Apicurio(Server):
    """Our own registry in `home`/registry, on a port of 127.0.0.1. Its schemas stay for the next start."""

    name = "registry"

    def __init__(self, home: Path, folder: Path, *, is_passing: bool = False) -> None:
        super().__init__(home, is_passing=is_passing)
        self.folder = folder

    @property
    def url(self) -> str:
        """Where it serves Confluent's API."""
        return f"http://127.0.0.1:{self.port}/apis/ccompat/v7"

    def start(self) -> None:
        """Starts it, without waiting."""
        data = self.home / "registry"
        data.mkdir(exist_ok=True)
        shutil.rmtree(data / "vertx-cache", ignore_errors=True)  # one that was killed leaves a folder in it
        command = [str(find_java()), f"-Xmx{HEAP}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        command += [f"-Djava.io.tmpdir={data}", "-Dquarkus.http.host=127.0.0.1", f"-Dquarkus.http.port={self.port}"]
        # by default its database is in memory
        command += [f"-Dquarkus.datasource.jdbc.url=jdbc:h2:file:{data / 'schemas'};{H2}", "-jar", RUNNER]
        log = self.home / "logs" / "registry.log"
        self.child = ChildProcess(self.name, command, log, cwd=self.folder, is_tied=self.is_passing)
        self.child.start()

    def is_ready(self) -> bool:
        """Whether it answers."""
        try:
            urllib.request.urlopen(f"{self.url}/subjects", timeout=2).close()
        except (urllib.error.URLError, TimeoutError, ConnectionError):
            return False
        return True
