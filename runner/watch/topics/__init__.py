"""Records of a topic and dead letters of a job, as they come in, for a viewer."""
