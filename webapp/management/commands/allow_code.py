"""`manage.py allow_code ada`: lets a user run their own Python in topologies."""

from designer.projects.code_permission import RUN_CODE
from designer.projects.roles import SERVER
from webapp.accounts.allowing import AllowCommand


class Command(AllowCommand):
    """Gives the permission run_code, or takes it away."""

    needs = SERVER
    help = "Allow a user to save and deploy topologies with Python code. The code has all rights of the job's process."
    permission = RUN_CODE
    what = "run Python code"
