from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0012_room_of_hosts"),
    ]

    operations = [
        migrations.CreateModel(
            "product",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.CharField(max_length=64)),
            ],
        ),
    ]
