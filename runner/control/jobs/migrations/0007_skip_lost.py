"""A deploy may go on without offsets that are gone."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0006_plans_without_connections"),
    ]

    operations = [
        migrations.AlterField(
            model_name="job",
            name="on_state",
            field=models.CharField(
                choices=[
                    ("keep", "Keep"),
                    ("fresh_from_earliest", "Fresh From Earliest"),
                    ("fresh_from_now", "Fresh From Now"),
                    ("skip_lost", "Skip Lost"),
                ],
                default="keep",
                max_length=32,
            ),
        ),
    ]
