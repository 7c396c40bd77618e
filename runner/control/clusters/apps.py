from django.apps import AppConfig


class ClustersConfig(AppConfig):
    """Kafka clusters: their connections, and the choice of one for a topology."""

    name = "runner.control.clusters"
    label = "clusters"

    def ready(self) -> None:
        """Gives the checkpoints' file systems the settings of their Spark clusters."""
        from runner.control.clusters.checkpoints import choose_hadoop_settings
        from runner.spark.checkpoint.hadoop import use_settings

        use_settings(choose_hadoop_settings)
