"""Connections, and with them passwords, are taken out of the plans that are kept."""

from django.db import migrations


def take_out(apps, schema_editor):
    for run in apps.get_model("jobs", "Run").objects.select_related("job").iterator():
        run.cluster_id = run.job.cluster_id
        run.plan.pop("kafka", None)
        if run.plan.get("seed"):
            run.plan["seed"]["plan"].pop("kafka", None)
        run.save(update_fields=["cluster", "plan"])


class Migration(migrations.Migration):
    dependencies = [("jobs", "0005_runs_name_their_cluster")]
    operations = [migrations.RunPython(take_out, migrations.RunPython.noop)]
