"""A deploy, step by step: `facts` → `planner` → `preview`, which shows it, or `epochs`, which commits it.

- `facts.gather` asks Postgres, Kafka and the checkpoint, once. What follows is made of its answer alone.
- `planner.draft` makes the plan, and `preview.look_ahead` says what a deploy of it would do.
- `epochs.commit` makes topics and, where it must, a new epoch. Only this step changes anything.
- `written`: what the epoch before has written and read, by its marker.
- `graph_facts`, `offsets`, `losses`, `durability`, `recovery`, `rebuild`: what the facts are made of.
- `fates`: what happens to each store.
"""
