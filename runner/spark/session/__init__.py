"""The Spark session of a run, with what makes its JVM and its Python workers start fast."""
