from django.apps import AppConfig


class LogsConfig(AppConfig):
    """The logs of runs, and the mailbox of an agent for requests about those on its host."""

    name = "runner.watch.logs"
    label = "logs"

    def ready(self) -> None:
        from runner.watch.logs import receivers  # noqa: F401  (connects them)
