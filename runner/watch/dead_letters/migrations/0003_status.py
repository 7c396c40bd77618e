from django.db import migrations, models

CONSTRAINT = "one_redrive_of_a_topic"


class Migration(migrations.Migration):
    """Only the model changes: its field `status` is stored in the column `standing`, as before."""

    dependencies = [("letters", "0002_amount")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("redrive", CONSTRAINT),
                migrations.RenameField("redrive", "standing", "status"),
                migrations.AlterField(
                    "redrive",
                    "status",
                    models.CharField(
                        choices=[("running", "Running"), ("done", "Done"), ("stopped", "Stopped")],
                        db_column="standing",
                        default="running",
                        max_length=16,
                    ),
                ),
                migrations.AddConstraint(
                    "redrive",
                    models.UniqueConstraint(
                        condition=models.Q(("status", "running")), fields=("cluster", "topic"), name=CONSTRAINT
                    ),
                ),
            ]
        )
    ]
