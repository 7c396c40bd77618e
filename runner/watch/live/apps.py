from django.apps import AppConfig


class LiveConfig(AppConfig):
    """Live numbers of running jobs: stored in Redis, sent over websockets."""

    name = "runner.watch.live"
    label = "live"

    def ready(self) -> None:
        from runner.watch.live import receivers  # noqa: F401  (connects them)
