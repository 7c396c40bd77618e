"""A deploy in four values: facts → next plan → plan → run.

1. `facts.collect_facts` asks for everything that a plan is made of: `Facts`. It looks at no checkpoint.
   `graph_facts` has the part about the drawing, and `sink_schemas` the part of the schema registry.
2. `planner.make_plan` makes a `NextPlan` of them: the plan in the epoch that there is, and the topics that it lacks.
3. `epochs.commit` makes it true and returns the `Plan` of the run. Only this step changes anything outside Postgres. It
   first fences the writers of the old epoch. Then it reads what they left (`remains`), because they may have written
   since the facts.
   - `next_epoch` decides for it, from both plans and the remains: whether damage matters, whether the epoch continues,
     and how a new one begins.
   - `recovery.inspect` looks for damage in the old checkpoint, and its report says what can be done. One way is to
     `rebuild` the state from the topics.
   - `state_changes`: what happens to each store, by the fingerprints in both plans.
4. `runs.start` puts the `Run` into Postgres.

A preview takes the first two steps. Then `preview.look_ahead` says what a deploy would do, and `findings` asks what a
user must know first: damage, lost records, `durability`, hints. `acls` comes before: it refuses a deploy for which the
Kafka user lacks rights. `jobs.targets` finds the job, its settings and its clusters. `taking_over` looks at a kept
epoch for the way back after a cut over, which `epochs.take_over` carries out.
"""
