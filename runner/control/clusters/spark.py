"""Registers, tests, changes and removes Spark clusters."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings as django_settings
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from designer.refusals import Conflict, NotFound, Refusal
from runner.control.clusters.addresses import BadSparkCluster, check_master, check_root
from runner.control.clusters.checkpoints import choose_checkpoint_root, get_shared_root, name_product
from runner.control.clusters.cores import count_probe_slots
from runner.control.clusters.models import SPARK_SECRET, Cluster, SparkCluster
from runner.control.clusters.sealing import seal_secrets
from runner.control.clusters.services import get_local_cluster, name_seen_by
from runner.control.codes import ControlCode
from runner.control.environment import make_environment
from runner.plan import KUBERNETES
from runner.spark.checkpoint.hadoop import is_on_s3
from runner.spark.probe.probe import Probe, Seen

log = logging.getLogger(__name__)
PROBE_SECONDS = 180.0
SETTINGS = re.compile(
    r"spark\.(hadoop\.((fs|dfs)\..+|hadoop\.security\.credential\.provider\.path)|network\.timeout|rpc\.askTimeout"
    r"|executor\.heartbeatInterval|executor\.memoryOverhead"
    r"|task\.maxFailures|master\.ui\.port|driver\.port|blockManager\.port|port\.maxRetries|local\.dir"
    r"|kubernetes\.(namespace|container\.image(\.pullPolicy)?|executor\.(request|limit)\.cores"
    r"|(executor\.)?node\.selector\..+|executor\.(annotation|label)\..+"
    r"|executor\.volumes\.persistentVolumeClaim\..+))"
)
"""Allowed settings of a cluster: access to its network and file systems. Other settings would change a run."""
SECRET_SETTING = re.compile(
    r"(?i)secret|password|passwd|token|\bsas\b|(access|account|private|encryption|provided).?key(?!\.provider)|api.?key"
    r"|\.credential$"
)
DEFAULT = "default"
"""The name of the Spark cluster of SPARK_MASTER."""
THIS_HOST = ""
"""The name for no Spark cluster: all processes of a run are on the host of its agent."""


class SparkUnfit(Refusal):
    """A Spark cluster cannot execute a run."""

    code = ControlCode.SPARK_UNFIT
    status = 409


@dataclass(frozen=True)
class SparkForm:
    """The wanted settings of a Spark cluster. A `secret` of None keeps its stored value. An empty one is removed."""

    master: str
    checkpoint_root: str = ""
    executor_cores: int = 1
    executor_memory_mb: int = 1_024
    python: str = ""
    config: Mapping[str, str] | None = None
    secret: str | None = None


def find_default_spark() -> SparkCluster | None:
    """The Spark cluster of SPARK_MASTER, kept up to date. None if the variable is empty."""
    master, root = django_settings.SPARK_MASTER, django_settings.SPARK_CHECKPOINTS
    if not master:
        return None
    defaults = {"master": master, "checkpoint_root": root}
    cluster, _ = SparkCluster.objects.get_or_create(name=DEFAULT, defaults=defaults)
    if (cluster.master, cluster.checkpoint_root) != (master, root):
        SparkCluster.objects.filter(id=cluster.id).update(**defaults)
        cluster.refresh_from_db()
    return cluster


def find_spark(name: str) -> SparkCluster | None:
    """A Spark cluster by its name, or None for THIS_HOST. Raises NotFound."""
    if name == THIS_HOST:
        return None
    return find_cluster(name)


def find_cluster(name: str) -> SparkCluster:
    """A Spark cluster by its name. Raises NotFound."""
    find_default_spark()
    cluster = SparkCluster.objects.filter(name=name).first()
    if cluster is None:
        names = ", ".join(SparkCluster.objects.order_by("name").values_list("name", flat=True)) or "none yet"
        raise NotFound(f"There is no Spark cluster `{name}`.", f"Spark clusters: {names}.")
    return cluster


def create_spark(*, name: str, form: SparkForm, by: AbstractUser, is_untested: bool = False) -> SparkCluster:
    """Register a Spark cluster that passes its test, or any if `is_untested`.

    Raises BadSparkCluster, NoSharedFolder, SparkUnfit, Conflict.
    """
    taken = Conflict(f"Spark cluster `{name}` already exists.", "Choose another name, or change that one.")
    if SparkCluster.objects.filter(name=name).exists():  # before the test, which takes half a minute
        raise taken
    cluster = _describe(SparkCluster(name=name), form)
    if not is_untested:
        refuse_unfit(probe(cluster))
    try:
        with transaction.atomic():
            cluster.save()
    except IntegrityError as error:
        raise taken from error
    log.info("%s registered Spark cluster %s at %s", by, cluster, cluster.master)
    return cluster


def change_spark(
    *, cluster: SparkCluster, form: SparkForm, by: AbstractUser, is_untested: bool = False
) -> SparkCluster:
    """Change a Spark cluster. Runs use the change from their next start. Raises what `create_spark` does."""
    root = get_shared_root(cluster)
    wanted_connection = (form.master, (form.checkpoint_root or root).rstrip("/"))
    if cluster.name == DEFAULT and wanted_connection != (cluster.master, root):
        raise Conflict(
            f"Master and checkpoints of `{DEFAULT}` are the server's settings SPARK_MASTER and SPARK_CHECKPOINTS.",
            "Change them there, or register another Spark cluster.",
        )
    _describe(cluster, form)
    if not is_untested:
        refuse_unfit(probe(cluster))
    cluster.save()
    log.info("%s changed Spark cluster %s at %s", by, cluster, cluster.master)
    return cluster


def delete_spark(*, cluster: SparkCluster, by: AbstractUser) -> None:
    """Forget a Spark cluster without jobs."""
    if cluster.name == DEFAULT and django_settings.SPARK_MASTER:
        raise Conflict(f"`{DEFAULT}` is the Spark cluster of SPARK_MASTER.", "Unset SPARK_MASTER to remove it.")
    try:
        cluster.delete()
    except ProtectedError as error:
        names = name_seen_by(by, error.protected_objects)
        raise Conflict(f"Spark cluster `{cluster}` has jobs: {names}.", "Delete or move them first.") from error
    log.info("%s removed Spark cluster %s", by, cluster)


def probe(cluster: SparkCluster) -> Seen:
    """Run a small job on its hosts that asks every Kafka cluster. Takes half a minute."""
    get_local_cluster()
    root = choose_checkpoint_root(cluster)
    order = Probe(
        executors=cluster.executors(),
        slots=count_probe_slots(cluster),
        checkpoint_root=root,
        product=name_product(),
        kafka={each.name: each.connect().settings for each in Cluster.objects.order_by("name")},
    )
    try:
        process = subprocess.run(
            [sys.executable, "-m", "runner.spark.probe.probing"],
            input=order.model_dump_json(),
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            env=make_environment(may_use_s3=is_on_s3(root)),
            cwd=django_settings.BASE_DIR,
        )
    except subprocess.TimeoutExpired:
        return Seen(problem=f"The probe did not end within {PROBE_SECONDS:.0f} s.")
    last = process.stdout.strip().rpartition("\n")[2]
    if not last:
        return Seen(problem=f"The probe ended early: {process.stderr.strip().rpartition(chr(10))[2][:500]}")
    return Seen.model_validate_json(last)


def refuse_unfit(report: Seen) -> None:
    """Raises SparkUnfit with all problems that a test found."""
    if faults := report.find_faults():
        raise SparkUnfit(" ".join(faults), "Correct it and test again, or save the cluster untested.")


def _describe(cluster: SparkCluster, form: SparkForm) -> SparkCluster:
    """The wanted cluster, not saved yet. Raises BadSparkCluster, NoSharedFolder."""
    check_master(form.master)
    if form.checkpoint_root:
        check_root(form.checkpoint_root)
    cluster.master, cluster.checkpoint_root = form.master, form.checkpoint_root
    choose_checkpoint_root(cluster)  # raises if there is none
    kubernetes = form.master.startswith(KUBERNETES)
    if kubernetes and form.secret:
        raise BadSparkCluster(
            "Spark would write this secret into the environment of each pod, where others can read it.",
            "Make it a Secret of Kubernetes instead, as docs/how-to/kubernetes.md says.",
            field="secret",
        )
    for name in form.config or {}:
        if SECRET_SETTING.search(name):
            raise BadSparkCluster(
                f"`{name[:80]}` would hold a secret in Spark's settings, where others can read it.",
                "Give the hosts themselves access, or set spark.hadoop.hadoop.security.credential.provider.path.",
                field="config",
            )
        if not SETTINGS.fullmatch(name):
            raise BadSparkCluster(
                f"A Spark cluster may not set `{name[:80]}`.",
                "It may set how its network and file systems are reached, such as spark.network.timeout.",
                field="config",
            )
    cluster.executor_cores, cluster.executor_memory_mb = form.executor_cores, form.executor_memory_mb
    cluster.python, cluster.config = form.python, dict(form.config or {})
    if kubernetes:
        cluster.secrets = {}
    elif form.secret is not None:
        cluster.secrets = seal_secrets({SPARK_SECRET: form.secret}) if form.secret else {}
    return cluster
