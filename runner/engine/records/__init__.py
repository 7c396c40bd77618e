"""Records inside the engine: their shape, their order, and the form of values in rows and state."""
