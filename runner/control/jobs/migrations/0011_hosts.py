"""What a host tells of itself, and whether it is being drained."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0010_spark"),
    ]

    operations = [
        migrations.AddField("agenthost", "cores", models.PositiveIntegerField(default=0)),
        migrations.AddField("agenthost", "memory_bytes", models.BigIntegerField(default=0)),
        migrations.AddField("agenthost", "version", models.CharField(blank=True, max_length=64, default="")),
        migrations.AddField("agenthost", "draining", models.BooleanField(default=False)),
    ]
