from django.apps import AppConfig


class DesignerConfig(AppConfig):
    """Home of topologies, their drafts and versions."""

    name = "designer"
    label = "designer"

    def ready(self) -> None:
        from designer.audit import watch

        watch()
