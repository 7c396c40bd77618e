"""Records inside the engine: their shape, their order, and how values are in rows and state."""
