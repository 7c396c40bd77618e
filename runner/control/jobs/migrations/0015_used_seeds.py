"""Starts the jobs again that v0.1.0 blocked because it looked for the seed of an epoch that had used it.

Such a run failed with FileNotFoundError, and the next ones too. The epoch has its own state, so nothing is lost. The
new revision forgets those failures, as a restart by a user does.
"""

from django.db import migrations
from django.db.models import F


def unblock(apps, schema_editor):
    jobs, runs = apps.get_model("jobs", "Job"), apps.get_model("jobs", "Run")
    for job in jobs.objects.filter(blocked=True, desired="running"):
        of_epoch = runs.objects.filter(job=job, epoch=job.epoch)
        last = of_epoch.order_by("-generation").first()
        seed = last.plan.get("seed") if last is not None else None
        message = (job.problem or {}).get("message", "")
        has_begun = of_epoch.filter(last_batch__isnull=False).exists()
        if seed and has_begun and f"{seed['checkpoint']}/state" in message:
            jobs.objects.filter(id=job.id).update(blocked=False, problem=None, revision=F("revision") + 1)


class Migration(migrations.Migration):
    dependencies = [("jobs", "0014_lost_executors")]
    operations = [migrations.RunPython(unblock, migrations.RunPython.noop)]
