"""A correction knows the state of the right version behind its last batch."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("proving", "0003_corrections")]

    operations = [migrations.AddField("correction", "seed", models.JSONField(null=True))]
