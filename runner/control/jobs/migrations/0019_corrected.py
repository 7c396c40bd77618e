"""A version may take over with the state that was worked out together with corrections."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0018_adoptions")]

    operations = [migrations.AddField("cutover", "corrected", models.JSONField(null=True))]
