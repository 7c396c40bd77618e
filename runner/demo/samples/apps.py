from django.apps import AppConfig


class SamplesConfig(AppConfig):
    """What comes with the product to begin with: a topology, and the feed it reads, which users control."""

    name = "runner.demo.samples"
    label = "samples"
