"""Cases answered by what Export as Java writes for them: compiled at once, and run in one JVM."""
