"""A proof says which version it compared with, and which it proved, so that this one can take over."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("proving", "0001_initial"),
        ("designer", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            "proof",
            name,
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="designer.version"
            ),
        )
        for name in ("against", "version")
    ]
