"""TRUNCATE, which no trigger for rows sees, keeps the entries of the audit too."""

from django.db import migrations

KEEP = """
CREATE FUNCTION designer_auditentry_keep_all() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- the databases of tests, which are emptied after each one, say so
    IF current_setting('streamwright.is_test', true) IS DISTINCT FROM 'yes' THEN
        RAISE EXCEPTION 'Entries of the audit are never deleted.';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER designer_auditentry_keep_all BEFORE TRUNCATE ON designer_auditentry FOR EACH STATEMENT EXECUTE FUNCTION designer_auditentry_keep_all();
"""
FORGET = """
DROP TRIGGER designer_auditentry_keep_all ON designer_auditentry;
DROP FUNCTION designer_auditentry_keep_all();
"""


class Migration(migrations.Migration):
    dependencies = [("designer", "0007_audit_sessions")]
    operations = [migrations.RunSQL(KEEP, FORGET)]
