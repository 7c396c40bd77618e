"""A problem that prevents Streamwright from starting, in one sentence with the next step."""


class Problem(Exception):
    """Users see only its text: the thing, the expectation, the next step."""
