from django.apps import AppConfig


class RunnerConfig(AppConfig):
    """Fills the catalogue of operators."""

    name = "runner"

    def ready(self) -> None:
        import runner.engine.operators  # noqa: F401  (importing it registers them)
