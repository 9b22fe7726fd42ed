from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]

    operations = [migrations.AddField("space", "rests_until", models.DateTimeField(blank=True, null=True))]
