"""Preparations of a child that starts ahead of its plan, and the plans that it can then execute."""

from __future__ import annotations

from typing import Annotated, Literal

import orjson
from pydantic import BaseModel, ConfigDict, Field

from runner.plan import JobSettings, Plan

MEMORY_MB: int = JobSettings.model_fields["memory_mb"].default


class Ahead(BaseModel):
    """The first line of such a child, before its plan. `kafka` is for its own small query."""

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
        """True if a plan fits the fixed settings of the session."""
        return (
            plan.executors is None
            and plan.settings.memory_mb == self.memory_mb
            and plan.slots <= self.slots
            and (self.may_use_s3 or not plan.is_on_s3)
        )


def is_ahead(line: bytes) -> bool:
    """True if the first line of a child says what to make ready. Otherwise it is a plan."""
    return bool(orjson.loads(line).get("type") == "ahead")
