"""Owner of a folder of checkpoints. Two products in one folder would remove or replace each other's epochs."""

from __future__ import annotations

from designer.refusals import Refusal
from runner.spark.checkpoint import whole
from runner.spark.checkpoint.hadoop import get_file
from runner.spark.codes import RunCode

OWNER = "streamwright-owner"
"""The file that names the owner."""


class CheckpointsTaken(Refusal):
    """The folder belongs to another product."""

    code = RunCode.CHECKPOINT_TAKEN
    status = 409


def claim(root: str, product: str) -> None:
    """Marks a folder without an owner as this product's. Raises CheckpointsTaken, OSError."""
    mark = get_file(root) / OWNER
    if not mark.exists():
        mark.parent.mkdir(parents=True, exist_ok=True)
        whole.write(mark, product.encode())
    if (owner := mark.read_bytes().decode()) != product:
        raise CheckpointsTaken(
            f"{root} holds the checkpoints of another Streamwright, whose database was made at {owner}.",
            f"Give each its own checkpoint folder. If that product no longer exists, remove {root}/{OWNER}.",
        )
