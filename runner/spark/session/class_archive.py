"""The classes of Spark's JVM as Java maps them into memory (class data sharing). This is faster than loading them.

Each Java with its jars has one archive, beside the jars. A session that was made ready ahead writes it,
with all classes that its queries have loaded.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pyspark
from pyspark.sql import SparkSession

from runner.spark.private import get_gateway as jvm_gateway
from runner.spark.variables import get_java

QUIET = "-Xlog:cds=off,cds+dynamic=off"
"""A class that cannot be archived is not worth a line in a run's log."""

ARCHIVE_OPTIONS = ("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+RecordDynamicDumpInfo")
"""A Java that does not know the second option starts anyway, without an archive."""


# Loading classes took two fifths of a JVM's start: 11 CPU seconds before the first batch with the archive, 18
# without. The second compiler pays only after some minutes, and the JVM cannot switch it on later: a small batch
# takes 205 ms with the first compiler, and 406 ms in the first 100 batches with both.
def make_java_options(jars: Path, writes_classes: bool) -> tuple[str, ...]:
    """Options with which a JVM uses the archive beside Spark's extra jars, or keeps what `write` needs to make one."""
    archive = choose_place(jars)
    if archive is None:
        return ()
    if archive.exists():
        return (f"-XX:SharedArchiveFile={archive}", QUIET)
    return (*ARCHIVE_OPTIONS, QUIET) if writes_classes and os.access(jars, os.W_OK) else ()


def write(spark: SparkSession, jars: Path) -> None:
    """Writes the archive if there is none. The JVM must have started with `writes_classes`."""
    archive = choose_place(jars)
    if archive is None or archive.exists() or not os.access(jars, os.W_OK):
        return
    new_archive = archive.with_suffix(f".{os.getpid()}")
    _write_archive(spark, new_archive)
    new_archive.rename(archive)
    for other in jars.glob("classes-*"):  # those of another Java, or half-written by a child that was killed
        if other != archive:
            other.unlink(missing_ok=True)


def choose_place(jars: Path) -> Path | None:
    """Path of the archive. Another Java or other jars have another one."""
    if (own := get_java()) is None:
        return None
    files = [own, *sorted(jars.glob("*.jar")), *sorted((Path(pyspark.__file__).parent / "jars").glob("*.jar"))]
    facts = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return jars / f"classes-{hashlib.sha256(repr(facts).encode()).hexdigest()[:16]}.jsa"


def _write_archive(spark: SparkSession, file: Path) -> None:
    """Does the same as `jcmd VM.cds dynamic_dump`, which a Java without developer tools lacks."""
    gateway = jvm_gateway(spark)
    jvm = gateway.jvm

    def array(kind: Any, *values: Any) -> Any:
        java_array = gateway.new_array(kind, len(values))
        for index, value in enumerate(values):
            java_array[index] = value
        return java_array

    text, anything = jvm.java.lang.String, jvm.java.lang.Object
    name = jvm.javax.management.ObjectName("com.sun.management:type=DiagnosticCommand")
    words, types = array(text, "dynamic_dump", str(file)), array(text, "[Ljava.lang.String;")
    server = jvm.java.lang.management.ManagementFactory.getPlatformMBeanServer()
    # by its interface, because its module hides the class
    methods = jvm.java.lang.Class.forName("javax.management.MBeanServer").getMethods()
    invoke = next(method for method in methods if method.getName() == "invoke")
    invoke.invoke(server, array(anything, name, "vmCds", array(anything, words), types))
    if not file.exists():
        raise OSError(f"Java has not written {file}.")
