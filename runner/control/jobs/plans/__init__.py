"""A deploy, step by step: `facts` → `planner` → `preview`, which shows it, or `epochs`, which commits it.

- `jobs.targets` finds the target of a deploy: a job, its settings and its clusters.
- `acls` comes before a preview: it refuses a deploy for which the Kafka user lacks rights. A start does not ask again.
- `facts.collect_facts` asks for everything that a plan is made of. It looks at no checkpoint.
- `planner.make_plan` makes the plan as it is in the epoch that there is.
- `preview.look_ahead` says what a deploy of the plan would do. Only here `findings` asks what a user must know first:
  damage, lost records, hints.
- `epochs.commit` makes topics and, if necessary, a new epoch. Only this step changes anything. It first fences the
  writers of the old epoch. Then it reads what they left, because they may have written since the facts.
- `next_epoch` decides for it, from the plan, the old one and what that left: whether damage matters, whether the epoch
  continues, and how a new one begins.
- `recovery.inspect` looks for damage in a checkpoint, and its report says what can be done.
- `state_changes`: what happens to each store, by the fingerprints in both plans.
- `markers`, `offsets`, `losses`: what an epoch has written and read, and which records are gone.
- `graph_facts`, `durability`, `rebuild`: parts of the facts, the findings and the report.
"""
