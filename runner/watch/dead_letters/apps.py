from django.apps import AppConfig


class DeadLettersConfig(AppConfig):
    """Dead letters, and the redrives that users asked for."""

    name = "runner.watch.dead_letters"
    label = "letters"
