"""Records inside the engine: their shape, their order, and how values stand in rows and state."""
