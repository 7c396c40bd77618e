from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("designer", "0001_initial")]

    operations = [
        migrations.AlterModelOptions(
            name="topology",
            options={
                "ordering": ["name", "id"],
                "permissions": [("run_code", "Can run Python code in topologies")],
                "verbose_name_plural": "topologies",
            },
        ),
    ]
