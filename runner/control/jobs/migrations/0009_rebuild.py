"""A deploy may build the state of a damaged checkpoint anew."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0008_repair"),
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
                    ("repair", "Repair"),
                    ("rebuild", "Rebuild"),
                ],
                default="keep",
                max_length=32,
            ),
        ),
    ]
