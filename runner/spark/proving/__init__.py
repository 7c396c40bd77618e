"""Kept batches of a job executed again in a process of their own: to replay them, or to compare two versions."""
