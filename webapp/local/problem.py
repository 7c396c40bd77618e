"""What keeps Streamwright from starting, in one sentence with the next step."""


class Problem(Exception):
    """Its text is all a user sees: the thing, what was expected, what to do."""
