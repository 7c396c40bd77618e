"""What a user types to run a command of ours: a checkout has `manage.py` and make, an installed package `streamwright`.

>>> MANAGE in ("manage.py", "streamwright")
True
"""

from pathlib import Path

_IS_CHECKOUT = (Path(__file__).parents[1] / "manage.py").exists()
MANAGE = "manage.py" if _IS_CHECKOUT else "streamwright"
START = "make run" if _IS_CHECKOUT else "streamwright up"
"""Starts the product, and installs what it lacks."""
