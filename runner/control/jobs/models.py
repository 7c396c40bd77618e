"""Jobs (the wanted state) and runs (the actual state). Postgres is the truth, and everything else follows it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from django.conf import settings as django_settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from designer.projects.audit_messages import AuditWords
from runner.control.clusters.checkpoints import choose_hadoop_settings, find_moved
from runner.control.clusters.models import Cluster, SparkCluster
from runner.control.jobs.statuses import LIVE, Act, OnState, Status, Step
from runner.control.processes import HostProcess
from runner.plan import JobSettings, Plan


class Product(models.Model):
    """The product itself, in one row. `version` is that of the code that last migrated the database."""

    version = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.version


class AgentHost(models.Model):
    """A machine whose agent executes runs. Without a beat for ten seconds it counts as lost.

    A host takes no new run while it is `draining`, or while its version is not the product's (`get_wanted_version`).
    The figures of the disk are those of the disk that holds the product's home folder.
    """

    audit_words = AuditWords("host", untold=frozenset({"beat_at"}))
    name = models.CharField(max_length=255, unique=True)
    boot_id = models.CharField(max_length=64)
    beat_at = models.DateTimeField(db_default=Now())
    cores = models.PositiveIntegerField(default=0)
    memory_bytes = models.BigIntegerField(default=0)
    memory_free_bytes = models.BigIntegerField(default=0)
    disk_bytes = models.BigIntegerField(default=0)
    disk_free_bytes = models.BigIntegerField(default=0)
    version = models.CharField(max_length=64, blank=True, default="")
    draining = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.name


class Desired(models.TextChoices):
    RUNNING = "running"
    STOPPED = "stopped"


MAX_NAME_LENGTH = 128


class Job(models.Model):
    """A topology deployed on a Kafka cluster. Without `spark` it runs only on the host of its agent.

    `revision` counts what users asked for, `generation` the runs begun.
    `epoch` is the life of one checkpoint. `problem` says why no run can start. If `blocked`, none is tried until a
    user deploys or restarts.
    """

    audit_words = AuditWords(
        fields={"desired": "should be", "on_state": "what happens to state", "spark": "Spark cluster"},
        untold=frozenset({"generation"}),
    )
    name = models.CharField(max_length=MAX_NAME_LENGTH, unique=True)
    application_id = models.SlugField(max_length=128, unique=True)
    topology = models.ForeignKey("designer.Topology", on_delete=models.PROTECT, related_name="jobs")
    version = models.ForeignKey("designer.Version", on_delete=models.PROTECT, related_name="jobs")
    cluster = models.ForeignKey(Cluster, on_delete=models.PROTECT, related_name="jobs")
    spark = models.ForeignKey(SparkCluster, on_delete=models.PROTECT, null=True, related_name="jobs")
    desired = models.CharField(max_length=16, choices=Desired.choices, default=Desired.RUNNING)
    on_state = models.CharField(max_length=32, choices=OnState.choices, default=OnState.KEEP)
    settings = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(default=0)
    generation = models.PositiveIntegerField(default=0)
    epoch = models.PositiveIntegerField(default=0)
    tasks = models.JSONField(default=list, help_text="Task count of each sub-topology in this epoch.")
    blocked = models.BooleanField(default=False)
    problem = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    created_by = models.ForeignKey(django_settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    updated_at = models.DateTimeField(db_default=Now())
    updated_by = models.ForeignKey(django_settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return self.name

    def read_settings(self) -> JobSettings:
        return JobSettings.model_validate(self.settings)

    def find_live_run(self) -> Run | None:
        return self.runs.filter(status__in=LIVE).first()

    def find_last_run(self) -> Run | None:
        return self.runs.order_by("-generation").first()

    def find_last_start(self) -> str | None:
        """How a user last asked for a run: by a deploy, a cut over or a restart. None if no event says it."""
        starts = self.events.filter(what__in=(Act.DEPLOY, Act.CUT_OVER, Act.BACK, Act.RESTART)).order_by("-id")
        return starts.values_list("what", flat=True).first()

    def status(self) -> str:
        """The status that users see: that of the live run, or the reason why there is none."""
        return self.find_status(self.find_last_run())

    def find_status(self, last_run: Run | None) -> str:
        """The status that users see, for a caller who knows the newest run.

        No older run is live: a run begins after the one before.
        """
        if last_run is not None and last_run.status in LIVE:
            return last_run.status
        if self.desired == Desired.STOPPED:
            return Status.STOPPED
        return Status.FAILED if self.blocked else Status.STARTING


class Run(models.Model):
    """One process of a job, from its start to its end.

    The lease is in Postgres' time, and never null: a run that nobody took ends, too, and cannot be forgotten.
    """

    job = models.ForeignKey(Job, on_delete=models.PROTECT, related_name="runs")
    version = models.ForeignKey("designer.Version", on_delete=models.RESTRICT, related_name="+")
    revision = models.PositiveIntegerField()
    generation = models.PositiveIntegerField()
    epoch = models.PositiveIntegerField()
    cluster = models.ForeignKey(Cluster, on_delete=models.SET_NULL, null=True, related_name="+")
    spark = models.ForeignKey(SparkCluster, on_delete=models.SET_NULL, null=True, related_name="+")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.STARTING)
    plan = models.JSONField()
    host = models.CharField(max_length=255)
    boot_id = models.CharField(max_length=64, default="", blank=True)
    pid = models.PositiveIntegerField(null=True)
    start_ticks = models.BigIntegerField(null=True)
    child_pid = models.PositiveIntegerField(null=True)
    child_start_ticks = models.BigIntegerField(null=True)
    lease_until = models.DateTimeField(db_default=Now())
    start_after = models.DateTimeField(db_default=Now())
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    stop_reason = models.CharField(max_length=64, default="", blank=True, help_text="Set to ask it to stop.")
    kill_asked = models.BooleanField(default=False, help_text="Set to have the agent of its host kill it.")
    steps = models.JSONField(default=list, help_text="How its start went: each step with when it began, in ms.")
    lost_executors = models.JSONField(default=list, help_text="Those of its Spark cluster, with what each cost.")
    last_batch = models.BigIntegerField(null=True)
    offsets = models.JSONField(default=dict)
    failure = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job"], condition=Q(status__in=LIVE), name="one_live_run_per_job"),
            models.UniqueConstraint(fields=["job", "generation"], name="one_run_per_generation"),
        ]
        indexes = [models.Index(fields=["host", "status"], name="runs_of_a_host")]

    def __str__(self) -> str:
        return f"{self.job.name} #{self.generation}"

    def supervisor(self) -> HostProcess | None:
        """Return the process that owns the run, dead or alive. None: no process has taken it yet."""
        if self.pid is None or self.start_ticks is None:
            return None
        return HostProcess(self.boot_id, self.pid, self.start_ticks)

    def child(self) -> HostProcess | None:
        if self.child_pid is None or self.child_start_ticks is None:
            return None
        return HostProcess(self.boot_id, self.child_pid, self.child_start_ticks)

    def kill(self) -> None:
        """Kill the supervisor and the child, each with the processes that it has started."""
        for process in (self.supervisor(), self.child()):
            if process is not None:
                process.kill()

    def has_come_up(self) -> bool:
        """Whether its start is over: it has committed a batch, or found nothing to read."""
        return any(step["step"] == Step.RUNNING for step in self.steps)

    def read_plan(self) -> Plan:
        """Return the plan as it is stored: without secrets, so without connections to Kafka and Spark.

        Its checkpoints are where this host's home folder is now.
        """
        plan = Plan.model_validate(self.plan)
        moved = find_moved(plan.checkpoints(), are_own=self.host == django_settings.HOST)
        return plan.move_to(moved) if moved else plan

    def read_current_plan(self) -> Plan:
        """Return the stored plan as its epoch is now, without the checkpoints that nobody reads any more.

        The first batch of an epoch uses its seed, and the first batch of a plan is read from the copies of its moves.
        The supervisor stores the batch here before it removes those checkpoints, so this row tells what may be gone.
        """
        done = Run.objects.filter(job=self.job_id, last_batch__isnull=False)
        has_begun, has_moved = done.filter(epoch=self.epoch).exists(), done.filter(revision=self.revision).exists()
        return self.read_plan_without(seed=has_begun, moves=has_moved)

    def read_plan_without(self, *, seed: bool, moves: bool) -> Plan:
        """Return the stored plan without its seed, or without its moves, if the caller knows that they were used."""
        plan = self.read_plan().without_seed() if seed else self.read_plan()
        return plan.model_copy(update={"moves": []}) if moves and plan.moves else plan

    def connect_plan(self) -> Plan:
        """Return the plan as a child needs it: with its clusters' present settings, and state in this host's home.

        Raises SecretLost if the server has no key for a secret of the cluster.
        """
        kafka = self.cluster.connect().settings if self.cluster else {}
        found = self.cluster.find_registry() if self.cluster else None
        registry = found.to_settings() if found else {}
        executors = self.spark.executors() if self.spark else None
        plan = self.read_current_plan()
        hadoop = {name: value for each in plan.checkpoints() for name, value in choose_hadoop_settings(each).items()}
        state = Path(django_settings.HOME) / "state" / plan.application_id / f"epoch-{plan.epoch}"
        where = {
            "kafka": kafka,
            "registry": registry,
            "executors": executors,
            "hadoop": hadoop,
            "state_dir": str(state),
        }
        return plan.model_copy(update=where)


class CutOver(models.Model):
    """A version that takes over from the one before it, and the state that is kept for the way back (`cut_overs.py`).

    It belongs to the request that made the job's `revision`. `proof` says what the version was proved with. For a way
    back, `takes_over` is the last run of the epoch that goes on: with all records since then, unless `is_at_once`.
    `corrected` is a `runner.plan.Corrected`, if it goes on with the state that was worked out together with
    corrections, or rebuilt for the proof. `failure` is why the job went back by itself. Once the first run of the
    version is there, `kept` is the last run of the epoch before it, whose checkpoint is kept until `keep_until`.
    """

    audit_words = AuditWords("cut over", untold=frozenset({"proof", "corrected", "failure", "kept", "takes_over"}))
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="cut_overs")
    revision = models.PositiveIntegerField()
    at = models.DateTimeField(db_default=Now())
    by = models.ForeignKey(django_settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    keep_until = models.DateTimeField()
    proof = models.JSONField(null=True)
    corrected = models.JSONField(null=True)
    takes_over = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    is_at_once = models.BooleanField(default=False)
    failure = models.JSONField(null=True)
    kept = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "revision"], name="one_cut_over_per_revision")]

    def __str__(self) -> str:
        return f"cut over of {self.job.name}"


class Adoption(models.Model):
    """A request that a new job continues the Kafka Streams application of that id (`plans/adopting.py`).

    `stores` has the topics that the user chose for stores. What the job took is in the plan of its first run.
    """

    audit_words = AuditWords("adoption", untold=frozenset({"stores"}))
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="adoptions")
    at = models.DateTimeField(db_default=Now())
    by = models.ForeignKey(django_settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    application = models.CharField(max_length=255)
    stores = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"adoption of {self.application}"


class JobEvent(models.Model):
    """What a user did to a job, and when. A trigger in the database refuses to change or delete an event.

    The events of a deleted job stay, with its number. `before` of the last one describes the job.
    """

    # Events outlive their job: the trigger that makes them immutable stays strict, so no constraint points at the
    # row.
    job = models.ForeignKey(Job, on_delete=models.DO_NOTHING, db_constraint=False, related_name="events")
    what = models.CharField(max_length=32)
    by = models.ForeignKey(django_settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(db_default=Now())
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["job", "-at"], name="events_of_a_job")]

    def __str__(self) -> str:
        return f"{self.what} {self.before.get('name', self.job_id)}"


class JobFacts(TypedDict):
    """What an event says of a job, before and after it."""

    name: str
    project: int
    application_id: str
    desired: str
    version: int
    cluster: int
    spark: str
    """The Spark cluster. Empty: the host of an agent."""
    settings: Mapping[str, Any]
    """`JobSettings` as they were stored."""
    revision: int
    epoch: int
    on_state: str


def describe_job(job: Job) -> JobFacts:
    return {
        "name": job.name,
        "project": job.topology.project_id,
        "application_id": job.application_id,
        "desired": job.desired,
        "version": job.version_id,
        "cluster": job.cluster_id,
        "spark": job.spark.name if job.spark else "",
        "settings": job.settings,
        "revision": job.revision,
        "epoch": job.epoch,
        "on_state": job.on_state,
    }
