"""A job and its runs may be on a Spark cluster."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0005_spark_clusters"),
        ("jobs", "0009_rebuild"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="spark",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="jobs",
                to="clusters.sparkcluster",
            ),
        ),
        migrations.AddField(
            model_name="run",
            name="spark",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="clusters.sparkcluster",
            ),
        ),
    ]
