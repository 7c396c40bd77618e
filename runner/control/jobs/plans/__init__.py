"""From a version and the facts of its cluster to the plan of a run, and what a deploy would do."""
