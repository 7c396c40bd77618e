"""Starts the executor of a pod: `python executor_pod.py executor`, with the environment that Spark sets.

Only the standard library is imported, because our packages arrive with the first task. `python executor_pod.py log`
copies the executor's log into the file where its run looks for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

BACKEND = "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend"
OPTION = "SPARK_JAVA_OPT_"
LOG = Path("stderr")
"""Log file in the working folder, as beside an executor of a standalone cluster."""
LOG_BYTES = 16 * 1_048_576
ARGUMENTS = {
    "--driver-url": "SPARK_DRIVER_URL",
    "--executor-id": "SPARK_EXECUTOR_ID",
    "--cores": "SPARK_EXECUTOR_CORES",
    "--app-id": "SPARK_APPLICATION_ID",
    "--hostname": "SPARK_EXECUTOR_POD_IP",
    "--resourceProfileId": "SPARK_RESOURCE_PROFILE_ID",
    "--podName": "SPARK_EXECUTOR_POD_NAME",
}


def make_command(variables: Mapping[str, str]) -> list[str]:
    """The command line of the executor's Java."""
    options = sorted((name for name in variables if name.startswith(OPTION)), key=lambda name: int(name[len(OPTION) :]))
    java = str(Path(variables["JAVA_HOME"], "bin", "java")) if "JAVA_HOME" in variables else "java"
    return [
        java,
        *(variables[name] for name in options),
        f"-Xmx{variables['SPARK_EXECUTOR_MEMORY']}",
        "-Dspark.master=k8s://driver",  # Spark reads its secret from a file only if it knows that it is on Kubernetes
        "-cp",
        str(find_spark() / "jars" / "*"),
        BACKEND,
        *(word for argument, name in ARGUMENTS.items() for word in (argument, variables[name])),
    ]


def find_spark() -> Path:
    """The Spark that came with PySpark."""
    spec = find_spec("pyspark")
    assert spec and spec.origin
    return Path(spec.origin).parent


def keep_log() -> None:
    """Gives the output of this process and its children to a process that copies it."""
    copier = subprocess.Popen([sys.executable, __file__, "log"], stdin=subprocess.PIPE)
    assert copier.stdin is not None
    for output in (sys.stdout, sys.stderr):
        os.dup2(copier.stdin.fileno(), output.fileno())


def copy_log(source: BinaryIO, target: BinaryIO, *, most: int = LOG_BYTES) -> None:
    """Copies each line to the container's log, too. A file of more bytes begins again: the container has the others."""
    with LOG.open("wb", buffering=0) as file:
        for line in source:
            target.write(line)
            target.flush()
            if file.tell() + len(line) > most:
                file.seek(0)
                file.truncate()
            file.write(line)


if __name__ == "__main__" and sys.argv[1:] == ["log"]:
    copy_log(sys.stdin.buffer, sys.stdout.buffer)
elif __name__ == "__main__":
    os.environ["SPARK_HOME"] = str(find_spark())
    command = make_command(os.environ)
    keep_log()
    os.execvp(command[0], command)
