"""Python of users: the Processor API that it uses, and the processor that runs it."""
