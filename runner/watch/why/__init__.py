"""Why nothing comes out of a node: facts are gathered (`services`), and a pure function answers (`answering`)."""
