"""Spark clusters that jobs may run on."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0004_prefix_without_default"),
    ]

    operations = [
        migrations.CreateModel(
            name="SparkCluster",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.SlugField(max_length=64, unique=True)),
                ("master", models.CharField(max_length=1024)),
                ("checkpoint_root", models.CharField(blank=True, max_length=1024)),
                ("executor_cores", models.PositiveIntegerField(default=1)),
                ("executor_memory_mb", models.PositiveIntegerField(default=1024)),
                ("python", models.CharField(blank=True, max_length=256)),
                ("config", models.JSONField(blank=True, default=dict)),
                ("secrets", models.JSONField(blank=True, default=dict)),
            ],
        ),
    ]
