import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

ADMINISTRATOR = 4


def make_default(apps, schema_editor):
    apps.get_model("designer", "Project").objects.create(id=1, name="default")
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("select setval(pg_get_serial_sequence('designer_project', 'id'), 1)")


def keep_rights(apps, schema_editor):
    """Everybody could do everything: they can so in the project that holds all topologies."""
    users = apps.get_model("accounts", "User").objects.all()
    grants = apps.get_model("designer", "Grant").objects
    grants.bulk_create(grants.model(project_id=1, user_id=user.pk, role=ADMINISTRATOR) for user in users)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_api_tokens"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("designer", "0004_slugs_follow_names"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Project",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.SlugField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["name"]},
        ),
        migrations.RunPython(make_default, migrations.RunPython.noop),
        migrations.AddField(
            model_name="topology",
            name="project",
            field=models.ForeignKey(
                default=1,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="topologies",
                to="designer.project",
            ),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="Grant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.PositiveSmallIntegerField(
                        choices=[(1, "viewer"), (2, "editor"), (3, "operator"), (4, "administrator")]
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="grants",
                        to="auth.group",
                    ),
                ),
                (
                    "project",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="grants",
                        to="designer.project",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="grants",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("user", None), ("group", None), _connector="XOR"),
                        name="grant_to_a_user_or_a_group",
                    ),
                    models.UniqueConstraint(fields=("project", "user"), name="one_role_of_a_user"),
                    models.UniqueConstraint(fields=("project", "group"), name="one_role_of_a_group"),
                ],
            },
        ),
        migrations.RunPython(keep_rights, migrations.RunPython.noop),
    ]
