from django.apps import AppConfig


class QueriesConfig(AppConfig):
    """Interactive queries of running jobs' tables."""

    name = "runner.watch.queries"
    label = "queries"

    def ready(self) -> None:
        from runner.watch.queries import receivers  # noqa: F401  (connects them)
