"""The catalogue is filled before any test of the designer."""

import runner.engine.operators  # noqa: F401
