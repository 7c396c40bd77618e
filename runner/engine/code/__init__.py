"""Python of users: the Processor API it works with, and the processor that carries it."""
