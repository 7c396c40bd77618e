"""Every write of test cases: records with their expected output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction

from designer.limits import check_storable
from designer.names import check_name
from designer.projects.models import TestCase, Topology
from designer.refusal_codes import DesignerCode
from designer.refusals import Conflict, NotFound, Refusal

MAX_CASES = 100
MAX_BYTES = 524_288
"""Bytes of all test cases of a topology: one export contains them all, and may have 1 MB."""
MAX_NAME_LENGTH = 100


class TooManyCases(Refusal):
    """The topology has too many test cases, or too long ones."""

    code = DesignerCode.CASE_TOO_MANY
    status = 422


@transaction.atomic
def create_case(
    *, topology: Topology, name: str, records: str, expected: str, by: AbstractUser | None = None
) -> TestCase:
    """Raises Conflict if the name is taken, Refusal for a bad name, TooManyCases."""
    _lock(topology)
    case = TestCase(topology=topology)
    return _write(case, by, name=name, records=records, expected=expected)


@transaction.atomic
def change_case(
    *,
    case: TestCase,
    revision: int,
    name: str | None = None,
    records: str | None = None,
    expected: str | None = None,
    by: AbstractUser | None = None,
) -> TestCase:
    """Change the given members of a case at `revision`. Raises Conflict if another user has changed it since."""
    _lock(case.topology)
    now = TestCase.objects.select_related("updated_by").filter(id=case.id).first()
    if now is None:
        raise NotFound(f"The test case `{case}` was deleted.", "Save it again under that name.")
    if now.revision != revision:
        who = now.updated_by.get_username() if now.updated_by else "Another user"
        raise Conflict(f"{who} changed the test case `{now}` in the meantime.", "Open its current state.")
    now.revision += 1
    texts = {"name": name, "records": records, "expected": expected}
    return _write(now, by, **{field: text for field, text in texts.items() if text is not None})


@transaction.atomic
def delete_case(*, case: TestCase) -> None:
    case.delete()


@transaction.atomic
def take_cases(*, topology: Topology, cases: Sequence[Mapping[str, str]], by: AbstractUser | None) -> None:
    """Take over the cases of an export. They replace cases of the same name. The others stay."""
    there = {case.name: case for case in topology.cases.all()}
    for each in cases:
        case = there.get(each["name"])
        if case is None:
            create_case(topology=topology, by=by, **each)
        elif (case.records, case.expected) != (each["records"], each["expected"]):
            change_case(case=case, revision=case.revision, by=by, **each)


def _lock(topology: Topology) -> None:
    """One write at a time for a topology, because it checks names and sizes first."""
    Topology.objects.select_for_update().filter(id=topology.id).first()


def _write(case: TestCase, by: AbstractUser | None, **texts: Any) -> TestCase:
    for field, text in check_storable(texts).items():
        setattr(case, field, check_name(text, "test case", MAX_NAME_LENGTH) if field == "name" else text)
    others = list(case.topology.cases.exclude(id=case.id))
    if case.name in {other.name for other in others}:
        raise Conflict(f"Test case `{case}` already exists.", "Choose another name, or change that one.")
    if len(others) >= MAX_CASES:
        raise TooManyCases(f"The topology already has {MAX_CASES} test cases, the maximum.", "Delete one first.")
    size = sum(len((each.records + each.expected).encode()) for each in (*others, case))
    if size > MAX_BYTES:
        raise TooManyCases(
            f"The test cases of the topology would take {size:,} bytes; {MAX_BYTES:,} are allowed.",
            "Keep fewer records in it.",
        )
    case.updated_by_id = by.pk if by else None
    case.save()
    return case
