from django.apps import AppConfig


class ClustersConfig(AppConfig):
    """Kafka clusters: how to reach them, and which one a topology is drawn with."""

    name = "runner.control.clusters"
    label = "clusters"
