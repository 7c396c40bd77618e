"""The classes of Spark's JVM as Java maps them into memory (class data sharing), which is quicker than to load them.

There is one archive for a Java and its jars. It is beside the jars, and is written by a session that was made ready
ahead, with what its queries have loaded.
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
"""A class that cannot be kept is no news for a run's log."""

ARCHIVE_OPTIONS = ("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+RecordDynamicDumpInfo")
"""A Java that does not know the second starts anyway, and then has no archive."""


def make_java_options(jars: Path, writes_classes: bool) -> tuple[str, ...]:
    """How a JVM uses the archive in the folder of Spark's extra jars, or keeps what `write` needs to make one."""
    archive = choose_place(jars)
    if archive is None:
        return ()
    if archive.exists():
        return (f"-XX:SharedArchiveFile={archive}", QUIET)
    return (*ARCHIVE_OPTIONS, QUIET) if writes_classes and os.access(jars, os.W_OK) else ()


def write(spark: SparkSession, jars: Path) -> None:
    """Writes the archive if there is none; the JVM must have been started with `writes_classes`."""
    archive = choose_place(jars)
    if archive is None or archive.exists() or not os.access(jars, os.W_OK):
        return
    new_archive = archive.with_suffix(f".{os.getpid()}")
    _write_archive(spark, new_archive)
    new_archive.rename(archive)
    for other in jars.glob("classes-*"):  # of another Java, or half-written by a child that was killed
        if other != archive:
            other.unlink(missing_ok=True)


def choose_place(jars: Path) -> Path | None:
    """Where the archive lies; another Java and other jars have another."""
    if (own := get_java()) is None:
        return None
    files = [own, *sorted(jars.glob("*.jar")), *sorted((Path(pyspark.__file__).parent / "jars").glob("*.jar"))]
    facts = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return jars / f"classes-{hashlib.sha256(repr(facts).encode()).hexdigest()[:16]}.jsa"


def _write_archive(spark: SparkSession, file: Path) -> None:
    """What `jcmd VM.cds dynamic_dump` does, which a Java without its developers' tools lacks."""
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
    # by its interface: the class behind it is hidden in its module
    methods = jvm.java.lang.Class.forName("javax.management.MBeanServer").getMethods()
    invoke = next(method for method in methods if method.getName() == "invoke")
    invoke.invoke(server, array(anything, name, "vmCds", array(anything, words), types))
    if not file.exists():
        raise OSError(f"Java has not written {file}.")
