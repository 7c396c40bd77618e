"""Kafka clusters as users registered them."""

from __future__ import annotations

from django.db import models

from runner import kafka
from runner.clusters.sealing import opened


class Cluster(models.Model):
    """A Kafka connection: librdkafka settings from the list in `runner.kafka`, the secret ones among them sealed."""

    name = models.SlugField(max_length=64, unique=True)
    bootstrap_servers = models.CharField(max_length=1_024)
    config = models.JSONField(default=dict, blank=True)
    secrets = models.JSONField(default=dict, blank=True)

    class Meta:
        permissions = [("manage_clusters", "Can add, change and delete Kafka clusters")]

    def __str__(self) -> str:
        return self.name

    def connect(self) -> kafka.Cluster:
        """Raises SecretLost."""
        return kafka.Cluster(self.bootstrap_servers, self.config | opened(self.secrets, self.name), self.name)


class Choice(models.Model):
    """The cluster that somebody chose for a topology: its draft looks at this one's topics, and deploys go there."""

    topology = models.OneToOneField("designer.Topology", on_delete=models.CASCADE, related_name="+")
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.topology} on {self.cluster}"
