"""`manage.py alerts`"""

from typing import Any

from django.utils import timezone

from designer.projects.roles import ANY_ACCOUNT
from runner.management.shared import SharedCommand
from runner.watch.alerts.models import Alert, Silence, State
from runner.watch.alerts.schemas import AlertOut
from runner.watch.alerts.services import filter_seen_by
from runner.watch.alerts.tables import write_alerts_table


class Command(SharedCommand):
    needs = ANY_ACCOUNT

    def act(self, **options: Any) -> None:
        silences = list(Silence.objects.filter(until__gt=timezone.now()))
        open_alerts = Alert.objects.filter(filter_seen_by(self.user(options["by"]))).exclude(state=State.ENDED)
        alerts = [AlertOut.of(alert, silences) for alert in open_alerts.order_by("-since")]
        self.stdout.write(write_alerts_table([alert.model_dump(mode="json") for alert in alerts]))
