"""A deploy, step by step: `facts` → `planner` → `preview`, which shows it, or `epochs`, which commits it.

- `jobs.targets` says what a deploy leads to: a job, its settings and its clusters.
- `acls` comes before a preview: it refuses what the Kafka user may not do. A start does not ask again.
- `facts.gather` asks Postgres, Kafka, the checkpoint and the master of a Spark cluster. Plan and preview are made of
  its answer alone.
- `planner.make_plan` makes the plan as it is in the epoch that there is, and `preview.look_ahead` says what a deploy
  of it would do.
- `epochs.commit` makes topics and, where it must, a new epoch. Only this step changes anything. Behind an old epoch it
  fences the writers of that one first, and asks once more what they left: they may have written since the facts.
- `next_epoch` decides for it, from the plan, the old one and what that left: whether the epoch continues, and how a new
  one begins.
- `markers`: what the epoch before has written and read.
- `graph_facts`, `offsets`, `losses`, `durability`, `recovery`, `rebuild`: what the facts are made of.
- `fates`: what happens to each store.
"""
