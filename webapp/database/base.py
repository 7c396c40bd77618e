"""The class that Django expects from a backend: `ENGINE` names the package, and the class has this name."""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base


# Django runs each request in a thread of its own, which opened and closed a connection: 58 ms at p50 for
# `/api/topologies`, and 20 ms with the pool. The pool's own check replaces one broken connection at a time and waits
# longer after each, so requests failed for 20 s after an outage: the first broken one replaces the whole pool.
class DatabaseWrapper(base.DatabaseWrapper):
    """Before a connection of the pool is used, Postgres must answer on it. Otherwise the whole pool is replaced.

    psycopg_pool's own check replaces one connection at a time and waits longer after each. So requests failed for 20 s
    after Postgres had restarted.
    """

    def get_new_connection(self, conn_params: Any) -> Any:
        """A connection of the pool on which Postgres answers. Raises OperationalError."""
        connection = super().get_new_connection(conn_params)
        if (pool := self.pool) is None:
            return connection
        try:
            pool.check_connection(connection)
        except self.Database.OperationalError:
            pool.drain()
            pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection
