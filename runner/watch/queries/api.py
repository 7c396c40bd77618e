"""The tables of running jobs over HTTP: Kafka Streams' interactive queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query as InQuery
from ninja import Schema
from pydantic import ConfigDict

from designer.limits import AnyJson
from designer.projects.roles import VIEWER
from designer.projects.routing import Router
from designer.values import exact_json
from designer.values.schemas import Kind, WindowKind
from runner.control.jobs.services import get_job
from runner.engine.planning.layout import Store
from runner.engine.queryable import Query, TableRow, TextRow
from runner.watch.codes import WatchCode
from runner.watch.queries import services

router = Router(tags=["tables"])


class TableOut(Schema):
    """A table, or a store of a node's code (`is_of_code`), that can be asked: `windows` says of which kind its windows
    are, if its keys have some."""

    store: str
    node: str
    key_type: Kind
    windows: WindowKind | None
    is_versioned: bool
    is_of_code: bool

    @classmethod
    def of(cls, name: str, store: Store) -> TableOut:
        return cls(
            store=name,
            node=store.node,
            key_type=store.key.type.kind,
            windows=store.window.kind if store.window else None,
            is_versioned="versioned" in (store.kind, store.view and store.view.kind),
            is_of_code=store.view is not None,
        )


class WindowOut(Schema):
    """Ms since 1970. Sessions include their end."""

    start: int
    end: int


class RowOut(Schema):
    """`timestamp` in ms since 1970; null in a store of code that keeps none."""

    key: AnyJson
    window: WindowOut | None
    value: AnyJson
    timestamp: int | None


class TextRowOut(RowOut):
    """A row whose key and value are JSON texts."""

    key: str
    value: str


class RestoringOut(Schema):
    """How many slots of a table are ready, of how many; null while that is not known."""

    ready: int
    of: int | None


class RowsOut(Schema):
    """Committed rows; `next` is the `cursor` of those that follow, also where a page has fewer than asked for.

    Without rows while the table is restoring.
    """

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    status: Literal["ready", "restoring"]
    restoring: RestoringOut | None = None
    rows: list[RowOut] = []
    next: str | None = None


class TextRowsOut(RowsOut):
    """What `as_text` gives."""

    rows: list[TextRowOut] = []  # type: ignore[assignment]


@router.get(
    "/jobs/{job_id}/tables",
    needs=VIEWER,
    response=list[TableOut],
    summary="List the tables of a job that can be queried",
)
def list_tables(request: HttpRequest, job_id: int) -> list[TableOut]:
    return [TableOut.of(*table) for table in services.find_tables(get_job(job_id)).items()]


@router.get(
    "/jobs/{job_id}/tables/{store}",
    needs=VIEWER,
    refuses=[WatchCode.QUERY_NO_ANSWER],
    response=TextRowsOut | RowsOut,
    summary="Committed rows of a table: by key, by range, by window, or all, in pages",
)
def read_table(
    request: HttpRequest, job_id: int, store: str, query: InQuery[Query], as_text: bool = False
) -> RowsOut | HttpResponse:
    """With `as_text` keys and values are JSON texts, for readers whose numbers have fewer digits.

    Bytes are texts that begin with `base64:`.
    """
    answer = services.ask_rows(get_job(job_id), store, query)
    if "ready" in answer:
        return RowsOut(status="restoring", restoring=RestoringOut(**answer))
    rows: Sequence[TextRow | TableRow] = answer["rows"] if as_text else [_read_texts(row) for row in answer["rows"]]
    content = {"status": "ready", "restoring": None, "rows": rows, "next": answer["next"]}
    return HttpResponse(exact_json.dumps(content), content_type="application/json")


def _read_texts(row: TextRow) -> TableRow:
    return {
        "key": exact_json.loads(row["key"]),
        "window": row["window"],
        "value": exact_json.loads(row["value"]),
        "timestamp": row["timestamp"],
    }
