"""`manage.py cut-over orders`"""

from typing import Any

from designer.projects.roles import OPERATOR
from runner.control.jobs import services
from runner.control.jobs.statuses import OnState
from runner.management.shared import SharedCommand
from runner.watch.proving.newest import cut_over, explain_state, find_proof


class Command(SharedCommand):
    needs = OPERATOR

    def act(self, **options: Any) -> None:
        job, by = services.get_job_named(options["job"]), self.user(options["by"])
        proof = find_proof(job=job)
        state = explain_state(proof) if proof is not None else ""
        job = cut_over(job=job, by=by, on_state=OnState(options["on_state"] or OnState.KEEP))
        self.stdout.write(
            f"Version {job.version.number} of {job.topology} takes over in job {job.name}. {state}".strip()
        )
