"""Starts the executor of a pod: `python executor_pod.py executor`, with what Spark tells it in the environment.

Only the standard library is imported: our packages arrive with the first task.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

BACKEND = "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend"
OPTION = "SPARK_JAVA_OPT_"
ARGUMENTS = {
    "--driver-url": "SPARK_DRIVER_URL",
    "--executor-id": "SPARK_EXECUTOR_ID",
    "--cores": "SPARK_EXECUTOR_CORES",
    "--app-id": "SPARK_APPLICATION_ID",
    "--hostname": "SPARK_EXECUTOR_POD_IP",
    "--resourceProfileId": "SPARK_RESOURCE_PROFILE_ID",
    "--podName": "SPARK_EXECUTOR_POD_NAME",
}


def command(told: Mapping[str, str]) -> list[str]:
    """The command line of the executor's Java."""
    options = sorted((name for name in told if name.startswith(OPTION)), key=lambda name: int(name[len(OPTION) :]))
    java = str(Path(told["JAVA_HOME"], "bin", "java")) if "JAVA_HOME" in told else "java"
    return [
        java,
        *(told[name] for name in options),
        f"-Xmx{told['SPARK_EXECUTOR_MEMORY']}",
        "-Dspark.master=k8s://driver",  # Spark reads its secret from a file only where it knows to be on Kubernetes
        "-cp",
        str(spark() / "jars" / "*"),
        BACKEND,
        *(word for argument, name in ARGUMENTS.items() for word in (argument, told[name])),
    ]


def spark() -> Path:
    """The Spark that came with PySpark."""
    found = find_spec("pyspark")
    assert found and found.origin
    return Path(found.origin).parent


if __name__ == "__main__":
    os.environ["SPARK_HOME"] = str(spark())
    started = command(os.environ)
    sys.stdout.flush()
    os.execvp(started[0], started)
