"""The path of one record through a trial, and the way back from an output to its inputs."""
