"""The layout of a stored plan."""

from runner.spark.layouts import lay_out_plan
from tests.runner.control.jobs.test_rebuild import kept, program


def test_plans_of_equal_graphs_share_one_layout():
    plan = program(kept()).plan
    next_run = plan.model_copy(update={"epoch": 3, "generation": 7, "graph": {**plan.graph}})

    assert lay_out_plan(next_run) is lay_out_plan(plan)
    assert lay_out_plan(program(kept(hourly=True)).plan) is not lay_out_plan(plan)
