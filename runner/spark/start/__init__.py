"""A child that is started before its plan is known: `ahead.py` says for which plans, `warming.py` makes it ready."""
