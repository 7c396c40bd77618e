"""Registered Kafka and Spark clusters."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from designer.projects.audit_messages import AuditWords
from runner import kafka
from runner.control.clusters.connection import check_token_endpoint
from runner.control.clusters.sealing import open_secrets
from runner.plan import Executors
from runner.registry import Registry, RegistryMissing

SPARK_SECRET = "spark.authenticate.secret"


class Cluster(models.Model):
    """A Kafka connection: librdkafka settings from the list in `runner.kafka`, with sealed secrets.

    `prefix` begins the names that jobs use on it: groups, transactional ids, marker and dead-letter topics. Empty: the
    server's own prefix.

    `registry_url` is its schema registry, empty if it has none, with settings from the list in `runner.registry`.
    `is_registry_internal` says that this address may be one of an internal network.

    `silent_since` is when the server first got no answer (`answering.py`), with why and what to do in `silence`. Null
    while the cluster answers.
    """

    audit_words = AuditWords(
        "Kafka cluster", fields={"config": "settings"}, untold=frozenset({"silent_since", "silence"})
    )
    name = models.SlugField(max_length=64, unique=True)
    bootstrap_servers = models.CharField(max_length=1_024)
    config = models.JSONField(default=dict, blank=True)
    secrets = models.JSONField(default=dict, blank=True)
    prefix = models.CharField(max_length=64, blank=True)
    registry_url = models.CharField(max_length=1_024, blank=True)
    registry_config = models.JSONField(default=dict, blank=True)
    registry_secrets = models.JSONField(default=dict, blank=True)
    is_registry_internal = models.BooleanField(default=False)
    silent_since = models.DateTimeField(null=True)
    silence = models.JSONField(default=dict, blank=True)

    class Meta:
        permissions = [("manage_clusters", "Can add, change and delete Kafka clusters")]

    def __str__(self) -> str:
        return self.name

    def connect(self) -> kafka.KafkaCluster:
        """Raises SecretLost and AddressRefused."""
        check_token_endpoint(self.config)
        config = self.config | open_secrets(self.secrets, f"cluster `{self.name}`")
        return kafka.KafkaCluster(self.bootstrap_servers, config, self.name, self.name_prefix)

    def connect_registry(self) -> Registry:
        """Raises RegistryMissing and SecretLost."""
        if not self.registry_url:
            raise RegistryMissing(self.name)
        config = self.registry_config | open_secrets(self.registry_secrets, f"the registry of cluster `{self.name}`")
        return Registry(self.registry_url, config, self.name, self.is_registry_internal)

    def find_registry(self) -> Registry | None:
        """The connection to the schema registry, or None if the cluster has none. Raises SecretLost."""
        return self.connect_registry() if self.registry_url else None

    @property
    def name_prefix(self) -> str:
        """The prefix of names that jobs use on this cluster: `team-a-`, or nothing."""
        return self.prefix or settings.PREFIX


class SparkCluster(models.Model):
    """A Spark cluster that jobs may run on, beside the hosts of the product.

    `checkpoint_root` is a folder that all its hosts and ours see: on HDFS, or a path of a file system that they
    share. Empty: the folder of STREAMWRIGHT_CHECKPOINTS.
    `config` holds further settings of Spark, `secrets` the sealed `spark.authenticate.secret`.
    """

    audit_words = AuditWords("Spark cluster", fields={"config": "settings"})
    name = models.SlugField(max_length=64, unique=True)
    master = models.CharField(max_length=1_024)
    checkpoint_root = models.CharField(max_length=1_024, blank=True)
    executor_cores = models.PositiveIntegerField(default=1)
    executor_memory_mb = models.PositiveIntegerField(default=1_024)
    python = models.CharField(max_length=256, blank=True)
    config = models.JSONField(default=dict, blank=True)
    secrets = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return self.name

    def executors(self) -> Executors:
        """The values that a run on it receives. Raises SecretLost."""
        return Executors(
            name=self.name,
            master=self.master,
            cores=self.executor_cores,
            memory_mb=self.executor_memory_mb,
            python=self.python,
            settings=self.config,
            secret=open_secrets(self.secrets, f"cluster `{self.name}`").get(SPARK_SECRET, ""),
        )


class Choice(models.Model):
    """The chosen cluster of a topology: its draft looks at this one's topics, and deploys go there."""

    audit_words = AuditWords("choice of")
    topology = models.OneToOneField("designer.Topology", on_delete=models.CASCADE, related_name="+")
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.topology} on {self.cluster}"
