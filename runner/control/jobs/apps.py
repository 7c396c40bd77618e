from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Jobs and runs: what should be so, and what is so."""

    name = "runner.control.jobs"
    label = "jobs"
