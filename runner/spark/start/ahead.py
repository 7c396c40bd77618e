"""What a child that is started ahead of its plan makes ready, and which plans it can then execute."""

from __future__ import annotations

from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from runner.plan import JobSettings, Plan

MEMORY_MB: int = JobSettings.model_fields["memory_mb"].default


class Ahead(BaseModel):
    """The first line of such a child, instead of a plan. `kafka` is for a small query of its own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: Literal["ahead"] = "ahead"
    folder: str = Field(
        description="The child's own folder. Spark keeps its temporary files there for the life of the process."
    )
    slots: int = Field(description="Maximum slots of a plan: the session's cores.")
    memory_mb: int = MEMORY_MB
    kafka: dict[str, str]
    may_use_s3: Annotated[bool, Field(description="Whether a plan may have its checkpoint there.")] = False

    def fits(self, plan: Plan) -> bool:
        """Whether a plan asks for nothing that the session has fixed otherwise."""
        return (
            plan.executors is None
            and plan.settings.memory_mb == self.memory_mb
            and plan.slots <= self.slots
            and (self.may_use_s3 or not plan.is_on_s3)
        )


def is_ahead(line: bytes) -> bool:
    """Whether the first line of a child is not a plan, but what to make ready."""
    return bool(orjson.loads(line).get("type") == "ahead")
