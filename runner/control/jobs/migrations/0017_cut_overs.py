"""Cut overs: a version takes over from another one, whose state is kept for a time."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("jobs", "0016_events_truncate"),
    ]

    operations = [
        migrations.CreateModel(
            name="CutOver",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision", models.PositiveIntegerField()),
                ("at", models.DateTimeField(db_default=Now())),
                ("keep_until", models.DateTimeField()),
                ("proof", models.JSONField(null=True)),
                ("failure", models.JSONField(null=True)),
                ("is_at_once", models.BooleanField(default=False)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="cut_overs", to="jobs.job"
                    ),
                ),
                (
                    "kept",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.run"
                    ),
                ),
                (
                    "takes_over",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="jobs.run"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="cutover",
            constraint=models.UniqueConstraint(fields=["job", "revision"], name="one_cut_over_per_revision"),
        ),
    ]
