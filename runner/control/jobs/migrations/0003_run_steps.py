"""Runs keep the steps of their start, and the wish of a user that they be killed."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_events_are_kept")]
    operations = [
        migrations.AddField(
            "run",
            "kill_asked",
            models.BooleanField(default=False, help_text="Set to have the agent of its host kill it."),
        ),
        migrations.AddField(
            "run",
            "steps",
            models.JSONField(default=list, help_text="How its start went: each step with when it began, in ms."),
        ),
    ]
