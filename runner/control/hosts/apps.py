from django.apps import AppConfig


class HostsConfig(AppConfig):
    """Home of `manage.py agent` and `manage.py supervise`."""

    name = "runner.control.hosts"
