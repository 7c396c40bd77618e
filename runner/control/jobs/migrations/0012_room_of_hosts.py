"""What is free of a host's memory and disk."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0011_hosts"),
    ]

    operations = [
        migrations.AddField("agenthost", name, models.BigIntegerField(default=0))
        for name in ("memory_free_bytes", "disk_bytes", "disk_free_bytes")
    ]
