"""Passwords that stood in clear among the settings of a cluster are sealed."""

from django.db import migrations

from runner.control.clusters.sealing import seal_secrets
from runner.kafka import SECRETS


def seal(apps, schema_editor):
    for cluster in apps.get_model("clusters", "Cluster").objects.all():
        secret = {name: cluster.config.pop(name) for name in SECRETS & cluster.config.keys()}
        if secret:
            cluster.secrets = seal_secrets(secret)
            cluster.save(update_fields=["config", "secrets"])


class Migration(migrations.Migration):
    dependencies = [("clusters", "0001_initial")]
    operations = [migrations.RunPython(seal, migrations.RunPython.noop)]
