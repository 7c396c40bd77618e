"""`manage.py allow_clusters ada`: lets a user register Kafka clusters."""

from runner.control.clusters.services import MANAGE
from webapp.accounts.allowing import AllowCommand


class Command(AllowCommand):
    """Gives the permission manage_clusters, or takes it away."""

    help = "Lets a user say which Kafka clusters this server connects to, and with which credentials."
    permission = MANAGE
    what = "manage Kafka clusters"
