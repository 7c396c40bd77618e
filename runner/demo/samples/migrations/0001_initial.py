import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="SampleFeed",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rate", models.FloatField(help_text="Flights a second; 0: as fast as it goes.")),
                ("paused", models.BooleanField(default=False)),
                (
                    "written",
                    models.PositiveBigIntegerField(
                        default=0, help_text="Flights in the topic, by the feed's own numbers."
                    ),
                ),
                ("broken", models.PositiveIntegerField(default=0, help_text="Broken records written on request.")),
                ("broken_asked", models.PositiveIntegerField(default=0)),
                ("beat_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
    ]
