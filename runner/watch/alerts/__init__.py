"""Alerts: which figures mean trouble, and who gets a message. Begin with `kinds.py`.

- `kinds`: what can be watched, each kind a function over the figures of the live page and of `/metrics`.
- `judging`: how an alert begins, fires and ends. Pure.
- `services`: rules, silences and channels; one look at everything.
- `sending`, `wall`: how a message leaves, and where it may go.
"""
