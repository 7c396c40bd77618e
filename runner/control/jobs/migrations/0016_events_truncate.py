"""TRUNCATE, which no trigger for rows sees, keeps the events of jobs too."""

from django.db import migrations

KEEP = """
CREATE FUNCTION jobs_jobevent_keep_all() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- the databases of tests, which are emptied after each one, say so
    IF current_setting('streamwright.is_test', true) IS DISTINCT FROM 'yes' THEN
        RAISE EXCEPTION 'Events of jobs are never deleted.';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER jobs_jobevent_keep_all BEFORE TRUNCATE ON jobs_jobevent FOR EACH STATEMENT EXECUTE FUNCTION jobs_jobevent_keep_all();
"""
FORGET = """
DROP TRIGGER jobs_jobevent_keep_all ON jobs_jobevent;
DROP FUNCTION jobs_jobevent_keep_all();
"""


class Migration(migrations.Migration):
    dependencies = [("jobs", "0015_used_seeds")]
    operations = [migrations.RunSQL(KEEP, FORGET)]
