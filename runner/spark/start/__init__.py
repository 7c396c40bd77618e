"""A child that starts before its plan is known. `ahead.py` says which plans fit it, `warming.py` prepares it."""
