"""Records of a topic and dead letters of a job, live, for a viewer."""
