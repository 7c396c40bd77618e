"""The path of one record through a trial, and back from an output to the inputs that made it."""
