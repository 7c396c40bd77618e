"""`manage.py allow_clusters ada`: lets a user register Kafka clusters."""

from designer.projects.rights.needs import CLUSTERS
from webapp.accounts.allowing import AllowCommand


class Command(AllowCommand):
    """Gives the permission manage_clusters, or takes it away."""

    help = "Allows a user to register the Kafka clusters of this server and their credentials."
    permission = CLUSTERS.permission
    what = "manage Kafka clusters"
