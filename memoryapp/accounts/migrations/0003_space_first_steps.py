from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_space_rests_until")]

    operations = [
        migrations.AddField("space", "first_steps", models.CharField(blank=True, default="", max_length=10)),
        migrations.AddField("space", "asked_at", models.DateTimeField(blank=True, null=True)),
    ]
