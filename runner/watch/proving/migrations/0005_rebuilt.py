"""A proof may rebuild the state of its candidate from the topics."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("proving", "0004_corrected")]

    operations = [migrations.AddField("proof", "is_rebuilt", models.BooleanField(default=False))]
