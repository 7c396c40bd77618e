from django.apps import AppConfig


class HistoryConfig(AppConfig):
    """Numbers of jobs for more than the last hour."""

    name = "runner.watch.history"
    label = "history"
