"""Jobs and runs. `services.py` holds the writes, `reconciling.py` moves runs, `plans/` plans a deploy."""
