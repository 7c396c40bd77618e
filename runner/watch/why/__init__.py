"""Why nothing comes out of a node: `services` collects facts, and a pure function answers (`answering`)."""
