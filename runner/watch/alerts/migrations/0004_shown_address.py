"""Channels of earlier versions show the path of a webhook, which is the secret of many receivers."""

from typing import Any

from django.db import migrations


def hide_path(apps: Any, schema_editor: Any) -> None:
    for channel in apps.get_model("alerts", "Channel").objects.filter(shown__startswith="http"):
        scheme, _, host, *path = channel.shown.split("/")
        if any(path):
            channel.shown = f"{scheme}//{host}/…"
            channel.save(update_fields=["shown"])


class Migration(migrations.Migration):
    dependencies = [("alerts", "0003_rules_of_projects")]
    operations = [migrations.RunPython(hide_path, migrations.RunPython.noop)]
