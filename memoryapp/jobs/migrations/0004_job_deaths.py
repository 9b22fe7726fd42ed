from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0003_beat_keep"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="deaths",
            field=models.PositiveSmallIntegerField(default=0),
        ),
    ]
