"""`manage.py correct orders --from-batch 120 --topic orders-corrections`"""

from typing import Any

from designer.projects.roles import OPERATOR
from runner.control.jobs.services import get_job_named
from runner.management.shared import SharedCommand
from runner.watch.proving import correcting
from runner.watch.proving.corrections import get_correction
from runner.watch.proving.schemas import CorrectionOut
from runner.watch.proving.text import describe_correction


class Command(SharedCommand):
    needs = OPERATOR

    def act(self, **options: Any) -> None:
        job, by = get_job_named(options["job"]), self.user(options["by"])
        if options["from_batch"] is not None:
            correction = correcting.note_request(
                job=job,
                origin=job.topology.draft,
                by=by,
                first_batch=options["from_batch"],
                topic=options["topic"],
                tables=options["table"],
            )
            correcting.carry_out(str(correction.token))
        if options["send"]:
            correcting.carry_out(str(correcting.request_send(job=job, by=by).token))
        if options["take_over"]:
            job = correcting.take_over(job=job, by=by)
            self.stdout.write(f"Version {job.version.number} goes on with the corrected state in job {job.name}.")
            return
        correction = get_correction(job=job)
        self.stdout.write(describe_correction(CorrectionOut.from_orm(correction).model_dump(mode="json")))
        if correction.failure is not None:
            raise SystemExit(1)
