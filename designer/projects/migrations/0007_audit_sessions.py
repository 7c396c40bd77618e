from django.db import migrations, models

KEEP = """
CREATE OR REPLACE FUNCTION designer_keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN  -- a session's entry grows while the session goes on
        IF OLD.until > statement_timestamp() - interval '6 minutes'
            AND NEW.until >= OLD.until
            AND to_jsonb(NEW) - ARRAY['until', 'changes'] = to_jsonb(OLD) - ARRAY['until', 'changes']
        THEN RETURN NEW;
        END IF;
    -- pruning says for how many days entries are kept; without it this is NULL
    ELSIF OLD.at < statement_timestamp()
        - make_interval(days => nullif(current_setting('streamwright.audit_days', true), '')::int)
    THEN RETURN OLD;
    END IF;
    RAISE EXCEPTION 'An audit entry is never changed.';
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("designer", "0006_audit"),
    ]

    operations = [
        migrations.AddField(
            model_name="auditentry",
            name="until",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunSQL(KEEP, migrations.RunSQL.noop),
    ]
