"""Clusters become an app of their own; their table came with the jobs, and keeps its rows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0004_events_outlive_jobs"), ("designer", "0001_initial")]
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE jobs_cluster RENAME TO clusters_cluster",
                    "ALTER TABLE clusters_cluster RENAME TO jobs_cluster",
                )
            ],
            state_operations=[
                migrations.CreateModel(
                    name="Cluster",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.SlugField(max_length=64, unique=True)),
                        ("bootstrap_servers", models.CharField(max_length=1024)),
                        ("config", models.JSONField(blank=True, default=dict)),
                    ],
                )
            ],
        ),
        migrations.AddField("cluster", "secrets", models.JSONField(blank=True, default=dict)),
        migrations.AlterModelOptions(
            "cluster", {"permissions": [("manage_clusters", "Can add, change and delete Kafka clusters")]}
        ),
        migrations.CreateModel(
            name="Choice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "cluster",
                    models.ForeignKey(on_delete=models.deletion.CASCADE, related_name="+", to="clusters.cluster"),
                ),
                (
                    "topology",
                    models.OneToOneField(on_delete=models.deletion.CASCADE, related_name="+", to="designer.topology"),
                ),
            ],
        ),
    ]
