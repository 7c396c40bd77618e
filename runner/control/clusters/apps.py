from django.apps import AppConfig


class ClustersConfig(AppConfig):
    """Kafka clusters: how to reach them, and which one a topology is drawn with."""

    name = "runner.control.clusters"
    label = "clusters"

    def ready(self) -> None:
        """Files of checkpoints are reached as the Spark clusters say whose they are."""
        from runner.control.clusters.checkpoints import choose_hadoop_settings
        from runner.spark.checkpoint.hadoop import use_settings

        use_settings(choose_hadoop_settings)
