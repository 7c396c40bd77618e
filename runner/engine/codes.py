"""Codes of what the engine refuses, and of failures in it."""

from designer.refusal_codes import RefusalCode


class EngineCode(RefusalCode):
    """Codes of what the engine refuses, and of failures in it."""

    TOPOLOGY_LOOPS = ("topology.loops", "Records would return to a sub-topology that they have left.")
    TRIAL_NOT_ENCODED = ("trial.not_encoded", "A record of the trial does not fit the format of its topic.")
    RECORD_FAILED = ("record.failed", "A record failed, and the job's settings say that the run then fails.")
    CODE_FAILED = ("code.failed", "Python of a node failed outside of any record.")
    CODE_NOT_ALLOWED = ("code.not_allowed", "The process does not run Python of users.")
    SUPPRESS_BUFFER_FULL = ("suppress.buffer_full", "The buffer of a suppress exceeds its limit.")
    QUERY_REFUSED = ("query.refused", "The store does not support this query.")
