"""A deploy, step by step: `facts` → `planner` → `preview`, which shows it, or `epochs`, which commits it.

- `jobs.targets` finds the target of a deploy: a job, its settings and its clusters.
- `acls` comes before a preview: it refuses a deploy for which the Kafka user lacks rights. A start does not ask again.
- `facts.gather` asks Postgres, Kafka, the checkpoint and the master of a Spark cluster. Plan and preview use only its
  answer.
- `planner.make_plan` makes the plan as it is in the epoch that there is, and `preview.look_ahead` says what a deploy
  of it would do.
- `epochs.commit` makes topics and, if necessary, a new epoch. Only this step changes anything. If there is an old
  epoch, it first fences the writers of that one. Then it asks again what they left: they may have written since the
  facts.
- `next_epoch` decides for it, from the plan, the old one and what that left: whether the epoch continues, and how a new
  one begins.
- `markers`: what the previous epoch has written and read.
- `graph_facts`, `offsets`, `losses`, `durability`, `recovery`, `rebuild`: parts of the facts.
- `state_changes`: what happens to each store.
"""
