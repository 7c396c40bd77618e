"""Who the provider of the tests knows."""

CLIENT, SECRET = "streamwright", "canary-of-babbage"
PASSWORD = "difference engine"
PEOPLE: dict[str, tuple[str, ...]] = {
    "ada": ("team",),
    "bob": (),
    "carol": ("bosses",),
    "eve": ("strangers",),
    "nameless": ("team",),
}
"""Who can sign in at the provider, with their groups there. What it says of `nameless` holds no name."""
JOB_CLIENTS = ("operator", "job", "stranger")
"""Clients of Kafka, with the same secret: one that may do everything, one with some rights, and one with none."""
