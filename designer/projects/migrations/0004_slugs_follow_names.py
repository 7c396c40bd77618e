"""The slug of a topology follows its name until a deploy fixes it."""

from django.db import migrations, models


def fix_slugs_of_deployed(apps, schema_editor):
    """A deploy saves a version, so a topology with versions may have given its slug to a job."""
    apps.get_model("designer", "Topology").objects.filter(versions__isnull=False).update(is_slug_fixed=True)


class Migration(migrations.Migration):
    dependencies = [("designer", "0003_test_cases")]

    operations = [
        migrations.AddField("topology", "is_slug_fixed", models.BooleanField(default=False)),
        migrations.RunPython(fix_slugs_of_deployed, migrations.RunPython.noop),
    ]
