import django.db.models.functions.datetime
from django.db import migrations, models

KEEP = """
CREATE FUNCTION designer_keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'An audit entry is never changed.';
END $$;
CREATE TRIGGER designer_keep_audit BEFORE UPDATE OR DELETE ON designer_auditentry
    FOR EACH ROW EXECUTE FUNCTION designer_keep_audit();
"""
FORGET = """
DROP TRIGGER designer_keep_audit ON designer_auditentry;
DROP FUNCTION designer_keep_audit();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("designer", "0005_projects"),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), db_index=True),
                ),
                ("by", models.CharField(max_length=150)),
                ("token", models.CharField(blank=True, max_length=100)),
                ("address", models.CharField(max_length=64)),
                ("what", models.CharField(max_length=200)),
                ("about", models.CharField(max_length=500)),
                ("changes", models.JSONField(default=list)),
            ],
            options={"ordering": ["-id"], "verbose_name_plural": "audit entries"},
        ),
        migrations.RunSQL(KEEP, FORGET),
    ]
