"""A proof knows the rebuilt state with which its candidate can take over."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("proving", "0005_rebuilt")]

    operations = [migrations.AddField("proof", "state", models.JSONField(null=True))]
