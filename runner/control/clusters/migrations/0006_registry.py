"""A cluster may have a schema registry."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clusters", "0005_spark_clusters")]
    operations = [
        migrations.AddField(
            "cluster",
            "registry_url",
            models.CharField(blank=True, default="", max_length=1024),
            preserve_default=False,
        ),
        migrations.AddField("cluster", "registry_config", models.JSONField(blank=True, default=dict)),
        migrations.AddField("cluster", "registry_secrets", models.JSONField(blank=True, default=dict)),
        migrations.AddField("cluster", "is_registry_internal", models.BooleanField(default=False)),
    ]
