"""Questions to the tables of a run, and their answers."""
