# mypy: disable-error-code="override"
"""Routes of the HTTP API: each says on its decorator who may call it, and what the audit says of it.

```python
@router.post("/jobs/{job_id}/stop", needs=OPERATOR, audit="stop a job", response={202: JobOut})
def stop_job(request: HttpRequest, job_id: int) -> Status[JobOut]: ...
```

A route that says nothing cannot be declared: the server does not start.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import ninja

from designer.projects.roles import Need

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Route:
    """What a request needs, and its entry in the audit. Without `needs`, it needs no sign-in."""

    needs: Need | None
    audit: str = ""
    """What the audit says that the user did, such as `stop a job`. Only requests that change something have it."""
    is_session: bool = False
    """Whether the page repeats it every few seconds while a user works, so that one entry stands for all of these."""


ROUTES: dict[str, Route] = {}
"""By method and path, such as `POST /jobs/{job_id}/stop`. The imports of `webapp.api` fill it."""


def declare(method: str, path: str, route: Route) -> None:
    """Note what a route needs and audits. Raises TypeError if a change has no entry in the audit, or a question one.

    Example: `declare("GET", "/gallery", Route(ANY_ACCOUNT))`.
    """
    row = f"{method} {strip_converters(path)}"
    changes = method != "GET" and route.needs is not None and route.needs.writes
    if changes != bool(route.audit):
        what = "changes something, so it names what the audit says" if changes else "changes nothing"
        raise TypeError(f"`{row}` {what}: correct its `audit=`.")
    ROUTES[row] = route


def strip_converters(path: str) -> str:
    """
    >>> strip_converters("/topologies/{int:topology_id}/draft")
    '/topologies/{topology_id}/draft'
    """
    return re.sub(r"{\w+:(\w+)}", r"{\1}", path)


class Router(ninja.Router):
    """A router of django-ninja whose decorators also take `needs`, `audit` and `is_session` of `Route`.

    `needs` has no default, which mypy holds against an override: a route must say it.
    """

    def get(self, path: str, *, needs: Need | None, **options: Any) -> Callable[[View], View]:
        declare("GET", path, Route(needs))
        return super().get(path, **options)

    def post(
        self, path: str, *, needs: Need | None, audit: str = "", is_session: bool = False, **options: Any
    ) -> Callable[[View], View]:
        declare("POST", path, Route(needs, audit, is_session))
        return super().post(path, **options)

    def put(
        self, path: str, *, needs: Need | None, audit: str = "", is_session: bool = False, **options: Any
    ) -> Callable[[View], View]:
        declare("PUT", path, Route(needs, audit, is_session))
        return super().put(path, **options)

    def patch(self, path: str, *, needs: Need | None, audit: str = "", **options: Any) -> Callable[[View], View]:
        declare("PATCH", path, Route(needs, audit))
        return super().patch(path, **options)

    def delete(self, path: str, *, needs: Need | None, audit: str = "", **options: Any) -> Callable[[View], View]:
        declare("DELETE", path, Route(needs, audit))
        return super().delete(path, **options)
