from django.apps import AppConfig


class LettersConfig(AppConfig):
    """Dead letters, and the redrives that users asked for."""

    name = "runner.watch.letters"
    label = "letters"
