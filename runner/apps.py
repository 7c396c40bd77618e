from django.apps import AppConfig


class RunnerConfig(AppConfig):
    """Fills the catalogue of operators; home of `manage.py feed`."""

    name = "runner"

    def ready(self) -> None:
        import runner.engine.operators  # noqa: F401  (importing it registers them)
