"""Which executors a run lost, and what each cost."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0013_product"),
    ]

    operations = [
        migrations.AddField(
            "run",
            "lost_executors",
            models.JSONField(default=list, help_text="Those of its Spark cluster, with what each cost."),
        ),
    ]
