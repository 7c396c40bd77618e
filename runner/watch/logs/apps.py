from django.apps import AppConfig


class LogsConfig(AppConfig):
    """The logs of runs, and the mailbox in which an agent is asked for those on its host."""

    name = "runner.watch.logs"
    label = "logs"

    def ready(self) -> None:
        from runner.watch.logs import receivers  # noqa: F401  (connects them)
