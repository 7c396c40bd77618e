"""The audit is append-only: Postgres itself refuses to change or delete an event."""

from django.db import migrations

KEEP = """
CREATE FUNCTION jobs_keep_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events of jobs are never changed or deleted';
END $$;
CREATE TRIGGER jobs_keep_events BEFORE UPDATE OR DELETE ON jobs_jobevent
    FOR EACH ROW EXECUTE FUNCTION jobs_keep_events();
"""
FORGET = """
DROP TRIGGER jobs_keep_events ON jobs_jobevent;
DROP FUNCTION jobs_keep_events();
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]
    operations = [migrations.RunSQL(KEEP, FORGET)]
