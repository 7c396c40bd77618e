"""Queries of a run's tables over HTTP. Begin with `services.py`.

A query goes over Redis to the run (`mailbox.py`), whose engine answers it (`runner/engine/queryable`). `receivers.py`
connects it to the signals of a run.
"""
