"""A job can be deleted: its events keep its number, and stay as unchangeable as they were."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0003_run_steps")]
    operations = [
        migrations.AlterField(
            "jobevent",
            "job",
            models.ForeignKey(
                db_constraint=False,
                on_delete=models.deletion.DO_NOTHING,
                related_name="events",
                to="jobs.job",
            ),
        ),
        migrations.AlterField(
            "run",
            "version",
            models.ForeignKey(on_delete=models.deletion.RESTRICT, related_name="+", to="designer.version"),
        ),
    ]
