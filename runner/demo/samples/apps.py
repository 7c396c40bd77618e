from django.apps import AppConfig


class SamplesConfig(AppConfig):
    """Content of the product for a start: a topology, and its feed, which users control."""

    name = "runner.demo.samples"
    label = "samples"
