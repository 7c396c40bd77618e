"""The prefix keeps no default once every cluster has one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clusters", "0003_prefix"),
    ]

    operations = [
        migrations.AlterField(
            model_name="cluster",
            name="prefix",
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
