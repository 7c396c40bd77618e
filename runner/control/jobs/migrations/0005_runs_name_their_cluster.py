"""Clusters are an app of their own, and a run names the one it is on instead of keeping its connection."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0004_events_outlive_jobs"), ("clusters", "0001_initial")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "job",
                    "cluster",
                    models.ForeignKey(on_delete=models.deletion.PROTECT, related_name="jobs", to="clusters.cluster"),
                ),
                migrations.DeleteModel("Cluster"),
            ]
        ),
        migrations.AddField(
            "run",
            "cluster",
            models.ForeignKey(null=True, on_delete=models.deletion.SET_NULL, related_name="+", to="clusters.cluster"),
        ),
    ]
