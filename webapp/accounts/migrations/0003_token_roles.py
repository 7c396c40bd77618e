import django.db.models.deletion
from django.db import migrations, models

VIEWER, PRODUCT = 1, 5


def keep_read_only(apps, schema_editor):
    apps.get_model("accounts", "ApiToken").objects.filter(read_only=True).update(role=VIEWER)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_api_tokens"),
        ("designer", "0005_projects"),
    ]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="role",
            field=models.PositiveSmallIntegerField(
                choices=[
                    (1, "viewer"),
                    (2, "editor"),
                    (3, "operator"),
                    (4, "administrator"),
                    (5, "product administrator"),
                ],
                default=PRODUCT,
            ),
            preserve_default=False,
        ),
        migrations.RunPython(keep_read_only, migrations.RunPython.noop),
        migrations.RemoveField(model_name="apitoken", name="read_only"),
        migrations.AddField(
            model_name="apitoken",
            name="project",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="designer.project",
            ),
        ),
    ]
