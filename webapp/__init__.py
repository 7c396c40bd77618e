"""Joins designer and runner into one server: settings, addresses and accounts. No domain logic.

Begin with `settings.py` and `urls.py`. `variables.py` reads the environment, `api.py` collects the routes.

- `accounts`: users, sign-in and tokens.
- `database`: the backend for Postgres whose connections the server's requests share.
- `docs`: the documentation site, with pages made from the code.
- `local`: installs and starts everything on one machine. It imports no Django.
- `request_limits`, `http_protocol`: refuse large and slow requests before Django reads them.
- `remote`: `streamwright --url`, the commands over HTTP.
"""

from webapp.celery import app as celery_app

__all__ = ["celery_app"]
