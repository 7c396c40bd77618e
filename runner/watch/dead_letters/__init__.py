"""Dead letters of a job: their groups, a check whether they would pass now, and the redrive.

- `reading`, `groups`: the newest letters of a topic, put together by node and reason.
- `contents`: the record of a letter, as it goes back to its source topic.
- `redriver`: sends records back; they and the marks of their letters (`marks`) are one Kafka transaction.
- `services`: requests of users. Begin here.
"""
