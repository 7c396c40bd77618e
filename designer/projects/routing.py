# mypy: disable-error-code="override"
"""Routes of the HTTP API: each says on its decorator who may call it, what the audit says of it, and what it refuses.

```python
@router.delete(
    "/jobs/{job_id}", needs=OPERATOR, audit="delete a job", refuses=[ControlCode.JOB_STILL_RUNS], response={204: None}
)
def delete_job(request: HttpRequest, job_id: int) -> Status[None]: ...
```

A route that does not say who may call it cannot be declared: the server does not start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import ninja

from designer.projects.roles import Need
from designer.refusal_codes import RefusalCode

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Route:
    """What a request needs, and its entry in the audit. Without `needs`, it needs no sign-in."""

    needs: Need | None
    audit: str = ""
    """What the audit says that the user did, such as `stop a job`. Only requests that change something have it."""
    refuses: tuple[RefusalCode, ...] = ()
    """The refusals that its callers may want to tell apart, and that are of its own subject.

    Not those that any request may get: of its form and rights, of the graph in it, or because Kafka or the schema
    registry does not answer. `tests/webapp/test_refusals_of_routes.py` finds a code that is missing here.
    """
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
    """A router of django-ninja whose decorators also take `needs`, `audit`, `refuses` and `is_session` of `Route`.

    `needs` has no default, which mypy holds against an override: a route must say it.
    """

    def get(
        self, path: str, *, needs: Need | None, refuses: Sequence[RefusalCode] = (), **options: Any
    ) -> Callable[[View], View]:
        declare("GET", path, Route(needs, refuses=tuple(refuses)))
        return super().get(path, **options)

    def post(
        self,
        path: str,
        *,
        needs: Need | None,
        audit: str = "",
        refuses: Sequence[RefusalCode] = (),
        is_session: bool = False,
        **options: Any,
    ) -> Callable[[View], View]:
        declare("POST", path, Route(needs, audit, tuple(refuses), is_session))
        return super().post(path, **options)

    def put(
        self,
        path: str,
        *,
        needs: Need | None,
        audit: str = "",
        refuses: Sequence[RefusalCode] = (),
        is_session: bool = False,
        **options: Any,
    ) -> Callable[[View], View]:
        declare("PUT", path, Route(needs, audit, tuple(refuses), is_session))
        return super().put(path, **options)

    def patch(
        self, path: str, *, needs: Need | None, audit: str = "", refuses: Sequence[RefusalCode] = (), **options: Any
    ) -> Callable[[View], View]:
        declare("PATCH", path, Route(needs, audit, tuple(refuses)))
        return super().patch(path, **options)

    def delete(
        self, path: str, *, needs: Need | None, audit: str = "", refuses: Sequence[RefusalCode] = (), **options: Any
    ) -> Callable[[View], View]:
        declare("DELETE", path, Route(needs, audit, tuple(refuses)))
        return super().delete(path, **options)
