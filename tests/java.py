"""Java programs of tests, compiled against Kafka Streams and its test driver; their jars are fetched when asked for."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pyspark

from webapp.local import jars
from webapp.local.java import find_java
from webapp.local.parts import JARS
from webapp.local.problem import Problem

LIST = Path(__file__).with_name("jars.txt")
FOLDER = JARS.parents[1] / "tests" / "jars"
ONE_COMPILER = "-XX:TieredStopAtLevel=1"
"""What Java's second compiler gains comes after minutes; until then it takes a small machine's time."""
COMPILER = "Tests with Kafka Streams need javac (on Debian: apt-get install openjdk-17-jdk-headless) beside java"


def class_path() -> str:
    """Kafka Streams 4.4.0, what its broker brings along, the test driver, and what exported programs read."""
    return os.pathsep.join([*map(str, fetched("streams")), *map(str, fetched("serdes")), str(JARS / "*")])


def fetched(folder: str) -> list[Path]:
    """The jars of jars.txt that belong to a folder."""
    lines = [line.split() for line in LIST.read_text().splitlines() if not line.startswith("#")]
    listed = [jar for jar in (jars.parse_jar(*line) for line in lines) if jar.folder == folder]
    if missing := [jar for jar in listed if not jar.is_intact(FOLDER)]:
        jars.fetch(missing, FOLDER, jars.find_ivy(Path(pyspark.__file__).parent))
    return [FOLDER / jar.folder / jar.file for jar in listed]


def compiled(sources: Path, into: Path) -> str:
    """The class path with what `sources` holds, compiled into a folder; it is done again when they change."""
    files = sorted(sources.rglob("*.java"))
    text = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    classes, path = into / text[:16], class_path()
    if not classes.exists():
        work = into / f"{text[:16]}.{os.getpid()}"
        command = [str(javac()), "-nowarn", "-d", str(work), "-cp", path, *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise Problem(f"javac refuses {sources}: {done.stderr}")
        shutil.rmtree(classes, ignore_errors=True)
        work.rename(classes)
    return os.pathsep.join([str(classes), path])


def run(words: Sequence[str], text: str | None = None) -> subprocess.CompletedProcess[str]:
    """What `java` with these words answers to a text. What it keeps in its temporary folder is gone afterwards."""
    with TemporaryDirectory(prefix="java-") as folder:
        command = [str(find_java()), f"-Djava.io.tmpdir={folder}", ONE_COMPILER, "-XX:+UseSerialGC", *words]
        return subprocess.run(command, input=text, capture_output=True, text=True)


def javac() -> Path:
    """The compiler of the Java that runs the rest."""
    beside = find_java().resolve().with_name("javac")
    found = str(beside) if beside.exists() else shutil.which("javac")
    if found is None:
        raise Problem(f"{COMPILER}.")
    return Path(found)
