"""Dead letters of a job: what they say together, whether they would pass now, and their way back (redrive).

- `reading`, `groups`: the newest letters of a topic, put together by node and reason.
- `contents`: the record that a letter stands for, as it goes back to its source topic.
- `redriver`: sends records back; they and the marks of their letters (`marks`) are one Kafka transaction.
- `services`: what users ask for. Begin here.
"""
