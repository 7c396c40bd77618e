from django.apps import AppConfig


class LiveConfig(AppConfig):
    """Live numbers of running jobs: kept in Redis, sent over websockets."""

    name = "runner.live"
    label = "live"

    def ready(self) -> None:
        from runner.live import receivers  # noqa: F401  (connects them)
