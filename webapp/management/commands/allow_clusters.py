"""`manage.py allow_clusters ada`: lets a user register Kafka clusters."""

from designer.projects.roles import SERVER
from runner.control.clusters.permissions import CLUSTERS
from webapp.accounts.allowing import AllowCommand


class Command(AllowCommand):
    """Gives the permission manage_clusters, or takes it away."""

    needs = SERVER
    help = "Allow a user to register the Kafka clusters of this server and their credentials."
    permission = CLUSTERS.permission
    what = "manage Kafka clusters"
