"""The Spark session of a run, and the parts that make its JVM and its Python workers start fast."""
