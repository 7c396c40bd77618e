from django.apps import AppConfig


class TrialsConfig(AppConfig):
    """Trials: a graph tried on records, before anything is deployed."""

    name = "runner.watch.trials"
    label = "trials"
