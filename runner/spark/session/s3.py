"""Parts that a session needs for checkpoints on S3: Hadoop's file system, and our class for Spark's files there.

Spark gives these jars to its executors. They are not on the class path, because the archive of classes depends on it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import zipfile
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import pyspark

from designer.command_line import START
from runner.spark.variables import get_java, list_s3_jars

SOURCE = Path(__file__).with_name("ConditionalFiles.java")
CHECKPOINT_FILES = "streamwright.ConditionalFiles"
"""The class in our jar, as Spark's setting names it."""
COMPILER = "org.codehaus.commons.compiler.samples.CompilerDemo"
"""The compiler of Janino, which Spark brings to compile its queries. A Java without developer tools has none."""


class S3Missing(Exception):
    """Hadoop's file system for S3 is not installed, or our class does not fit it."""


def make_jars(folder: Path) -> str:
    """The jars in the form of `spark.jars`. Our jar is made in a folder where it is missing."""
    jars = list_s3_jars()
    if not jars:
        raise S3Missing(f"The jars of Hadoop's file system for S3 are missing. Run `{START}` to install them.")
    return ",".join(map(str, [*jars, _make_own_jar(folder, jars)]))


def _make_own_jar(folder: Path, jars: Iterable[Path]) -> Path:
    names = [SOURCE.read_text(), pyspark.__version__, *(jar.name for jar in jars)]
    own = folder / f"s3-{hashlib.sha256(repr(names).encode()).hexdigest()[:16]}.jar"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "s3.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not own.exists():
            _compile(own, jars)
    return own


def _compile(own: Path, jars: Iterable[Path]) -> None:
    of_spark = sorted((Path(pyspark.__file__).parent / "jars").glob("*.jar"))
    janino = [jar for jar in of_spark if jar.name.startswith(("janino", "commons-compiler"))]
    with TemporaryDirectory(dir=own.parent) as work:
        command = [str(get_java() or "java"), "-cp", _join(janino), COMPILER, "-d", f"{work}/classes"]
        command += ["-classpath", _join([*of_spark, *jars]), str(SOURCE)]
        compiler = subprocess.run(command, capture_output=True, text=True)
        classes = sorted(Path(work, "classes").rglob("*.class"))
        if not classes:
            raise S3Missing(f"{SOURCE.name} cannot be compiled: {compiler.stderr[:2_000]}")
        with zipfile.ZipFile(f"{work}/jar", "w") as jar:
            for file in classes:
                jar.write(file, file.relative_to(f"{work}/classes"))
        Path(work, "jar").replace(own)


def _join(jars: Iterable[Path]) -> str:
    return os.pathsep.join(map(str, jars))
