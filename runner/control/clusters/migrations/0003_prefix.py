"""The Kafka names that jobs give on a cluster may begin with a prefix."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("clusters", "0002_sealed")]
    operations = [migrations.AddField("cluster", "prefix", models.CharField(blank=True, default="", max_length=64))]
