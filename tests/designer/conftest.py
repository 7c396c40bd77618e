"""The catalogue is filled before any test of the designer."""

import runner.operators  # noqa: F401
