from django.apps import AppConfig


class WebappConfig(AppConfig):
    """Home of the commands that start the parts (`manage.py up`)."""

    name = "webapp"
