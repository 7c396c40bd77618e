from django.apps import AppConfig


class ConformanceConfig(AppConfig):
    """Home of `manage.py conformance`, where there is a checkout."""

    name = "tests.conformance"
