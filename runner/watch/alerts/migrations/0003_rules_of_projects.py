import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("alerts", "0002_alert_note"),
        ("designer", "0005_projects"),
    ]

    operations = [
        migrations.AddField(
            model_name="rule",
            name="project",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="designer.project"
            ),
        ),
        migrations.RemoveConstraint(model_name="rule", name="one_rule_for_a_job"),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.UniqueConstraint(
                fields=["kind", "job", "project"], nulls_distinct=False, name="one_rule_of_a_kind"
            ),
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=Q(job=None) | Q(project=None), name="rule_of_a_job_or_a_project"
            ),
        ),
    ]
