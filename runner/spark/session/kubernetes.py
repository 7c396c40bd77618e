"""Executors as pods of a Kubernetes cluster, whose master is `k8s://https://host:port`.

Spark's driver runs in the agent's pod and asks Kubernetes for executors. They run our own image, from the cluster's
setting `spark.kubernetes.container.image`. `docker/kubernetes/` holds the other files that they need.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runner.plan import Executors
from runner.spark.codes import RunCode
from runner.spark.failures import RunFailed

IMAGE = "spark.kubernetes.container.image"
NAMESPACE = "spark.kubernetes.namespace"
SERVICE_ACCOUNT = "streamwright-executor"
"""It has no rights, because executors never ask Kubernetes."""
SECRET = "streamwright-spark"
"""The Secret that agents and executors mount. With it, Spark authenticates and encrypts its connections."""
SECRET_FILE = Path("/etc/streamwright/spark/secret")
OWN_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
"""Folder in which Kubernetes puts a pod's own account."""
RIGHTS = ("create", "delete", "deletecollection", "get", "list", "patch", "watch")
"""All rights of an agent, only on pods: start, watch and end executors, list them now
and then, mark the ended ones, and look at its own pod."""
USER = 10_001
"""The user of our image."""
LABELS = {"app.kubernetes.io/part-of": "streamwright", "app.kubernetes.io/component": "executor"}
ENTRY = Path(__file__).with_name("executor_pod.py")
"""Agents and executors have the same image, so the same path."""
WORK = "/work"
PYTHON_MEMORY_MB = 512
"""Memory that the Python of one core may use beside the heap of its executor."""


def make_kubernetes_settings(executors: Executors, count: int, folder: Path) -> dict[str, str]:
    """Spark's settings for so many executors. Their pod template is written below `folder`."""
    if IMAGE not in executors.settings:
        raise RunFailed(
            RunCode.SPARK_NO_IMAGE,
            f"The Spark cluster `{executors.name}` does not say which image its executors have.",
            f"Add the setting {IMAGE} with the image of this product on the page Clusters.",
        )
    template = folder / "executor.json"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    template.write_text(json.dumps(make_pod_template(has_secret=SECRET_FILE.exists())))
    ours = {
        NAMESPACE: _read_own_namespace(),
        "spark.executor.instances": str(count),
        "spark.executor.memoryOverhead": f"{executors.cores * PYTHON_MEMORY_MB}m",
        "spark.kubernetes.executor.podTemplateFile": str(template),
        # without these settings Spark would need rights on more than pods
        "spark.kubernetes.executor.disableConfigMap": "true",
        "spark.kubernetes.driver.service.deleteOnTermination": "false",
        "spark.kubernetes.driver.ownPersistentVolumeClaim": "false",
        "spark.kubernetes.driver.reusePersistentVolumeClaim": "false",
    }
    settings = ours | executors.settings
    return settings | _find_owner(settings) | _choose_authentication()


def make_pod_template(*, has_secret: bool) -> dict[str, Any]:
    """Template of each executor's pod. Spark adds image, resources, environment and its own folder."""
    volumes: list[dict[str, Any]] = [{"name": "work", "emptyDir": {}}]
    mounts: list[dict[str, Any]] = [{"name": "work", "mountPath": WORK}]
    if has_secret:
        volumes.append({"name": "secret", "secret": {"secretName": SECRET, "defaultMode": 0o440}})
        mounts.append({"name": "secret", "mountPath": str(SECRET_FILE.parent), "readOnly": True})
    container = {
        "name": "executor",
        "command": ["python", str(ENTRY)],
        "workingDir": WORK,
        "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
        "volumeMounts": mounts,
    }
    spec = {
        "serviceAccountName": SERVICE_ACCOUNT,
        "automountServiceAccountToken": False,
        # something must reap ended processes, and Java does not
        "shareProcessNamespace": True,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "fsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [container],
        "volumes": volumes,
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": LABELS}, "spec": spec}


def _read_own_namespace() -> str:
    """The namespace of the agent's pod. Outside of a pod it is Kubernetes' default."""
    file = OWN_ACCOUNT / "namespace"
    return file.read_text().strip() if file.exists() else "default"


def _find_owner(settings: Mapping[str, str]) -> dict[str, str]:
    """Lets executors end with the agent's pod, which must be in their namespace."""
    in_pod = OWN_ACCOUNT.exists() and settings[NAMESPACE] == _read_own_namespace()
    return {"spark.kubernetes.driver.pod.name": socket.gethostname()} if in_pod else {}


def _choose_authentication() -> dict[str, str]:
    """Names the file of the secret. Otherwise Spark would write the secret itself into the environment of each pod."""
    if not SECRET_FILE.exists():
        return {}
    return {
        "spark.authenticate": "true",
        "spark.authenticate.secret.file": str(SECRET_FILE),
        "spark.network.crypto.enabled": "true",
    }
