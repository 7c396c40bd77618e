"""The Spark session of a run, and the parts that let its JVM and its Python workers start fast."""
