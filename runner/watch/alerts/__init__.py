"""Alerts: the figures that mean trouble, and the messages about them. Begin with `kinds.py`.

- `kinds`: the kinds of alerts, each a function over the figures of the live page and of `/metrics`.
- `evaluation`: how an alert begins, fires and ends. Pure.
- `services`: rules, silences and channels; one look at everything.
- `delivering`, `sending`: when a message is sent and tried again, and how. `runner.outgoing` says where it may go.
"""
