from django.apps import AppConfig


class HistoryConfig(AppConfig):
    """Numbers of jobs that outlive the last hour."""

    name = "runner.watch.history"
    label = "history"
