"""The environment variables of a run's processes. These know no Django, so they cannot use `webapp.variables`."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder of our packages."""
FAILPOINT = "STREAMWRIGHT_FAILPOINT"
JOB = "STREAMWRIGHT_JOB"
"""Tells a Spark master which job executors belong to. Its value is the folder of the job's checkpoints."""


def get_home() -> Path:
    """The home folder of the product."""
    return Path(os.environ.get("STREAMWRIGHT_HOME") or ROOT / ".run")


def get_jars() -> Path:
    """The folder of Spark's extra jars: STREAMWRIGHT_JARS, else the folder of the install below the home folder.

    Links are resolved: an archive of classes fits one class path only, so homes that share jars share the archive.
    """
    return _get_jars().resolve()


def list_s3_jars() -> list[Path]:
    """The jars of Hadoop's file system for S3, which are beside that folder."""
    return sorted((_get_jars().parent / "s3").resolve().glob("*.jar"))


def get_s3_store() -> tuple[str, str] | None:
    """The address and region of a store that is not Amazon's, as programs for S3 name it. None: Amazon's."""
    address = os.environ.get("AWS_ENDPOINT_URL_S3")
    return (address, os.environ.get("AWS_REGION") or "us-east-1") if address else None


def _get_jars() -> Path:
    return Path(os.environ.get("STREAMWRIGHT_JARS") or get_home() / "jars" / "spark")


def get_java() -> Path | None:
    """The Java that Spark's own script uses."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    return Path(java).resolve() if java else None


def get_failpoint_file() -> Path | None:
    """The file of `runner.spark.failpoints`."""
    path = os.environ.get(FAILPOINT)
    return None if path is None else Path(path)


def find_local_folder() -> Path | None:
    """The folder of Spark's temporary files, which a run on one host and an executor name to their workers."""
    folders = os.environ.get("SPARK_LOCAL_DIRS")
    return Path(folders.split(",")[0]) if folders else None


def get_executor_folder() -> Path:
    """The folder on the executor's disk, which Spark names to its workers and removes with the executor."""
    folder = find_local_folder()
    assert folder is not None
    return folder


def get_executor_address() -> str | None:
    """The address of the executor's host, if Spark was given one."""
    return os.environ.get("SPARK_LOCAL_IP")
