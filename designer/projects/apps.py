from django.apps import AppConfig


class DesignerConfig(AppConfig):
    """Home of topologies, their drafts and versions."""

    name = "designer.projects"
    label = "designer"

    def ready(self) -> None:
        from designer.projects.audit import watch

        watch()
