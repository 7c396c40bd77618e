from django.apps import AppConfig


class WhyConfig(AppConfig):
    """Answers why nothing comes out of a node."""

    name = "runner.watch.why"
    label = "why"
