from django.apps import AppConfig


class AlertsConfig(AppConfig):
    """Rules, what fires, and the messages about it."""

    name = "runner.watch.alerts"
    label = "alerts"
