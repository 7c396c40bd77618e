"""The roles of users, and `refuse`: the one function that refuses requests without a permission."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser
from django.db.models import Max, Q

from designer.limits import is_writable
from designer.projects.models import Grant, Project
from designer.projects.projects import get_default_project
from designer.projects.roles import Limit, Need, Role, RoleName
from designer.refusal_codes import DesignerCode
from designer.refusals import NotFound, Refusal

PLACES = {
    "project": ("project", "name"),
    "topology": ("topology", "topologies"),
    "topology_id": ("topology", "topologies"),
    "version": ("version", "topologies__versions"),
    "version_id": ("version", "topologies__versions"),
    "job": ("job", "topologies__jobs"),
    "job_id": ("job", "topologies__jobs"),
}
"""The meaning of a name in a request, and the path to its project."""
MAX_ADMINISTRATORS = 3
"""Maximum number of administrators that a refusal names."""


class RoleMissing(Refusal):
    """The user lacks the required role."""

    code = DesignerCode.RIGHTS_MISSING
    status = 403


def get_limit(user: AbstractUser) -> Limit | None:
    """The limits of this request's token. None for people."""
    limit: Limit | None = getattr(user, "limit", None)
    return limit


def find_roles(user: AbstractUser) -> dict[int, Role]:
    """The role of a user, or of the user's groups, by the id of each project with one, within the limits of a token."""
    roles, limit = _find_own_roles(user), get_limit(user)
    if limit is None:
        return roles
    return {project: min(role, limit.role) for project, role in roles.items() if limit.project in (None, project)}


def _find_own_roles(user: AbstractUser) -> dict[int, Role]:
    if user.is_superuser:
        return dict.fromkeys(Project.objects.values_list("id", flat=True), Role.PRODUCT)
    own = Grant.objects.filter(Q(user=user.pk) | Q(group__user=user.pk))
    return {project: Role(role) for project, role in own.values_list("project").annotate(Max("role"))}


def find_projects_seen(user: AbstractUser) -> Collection[int]:
    """The projects of the topologies and jobs in a user's lists."""
    return find_roles(user).keys()


def is_product_administrator(user: AbstractUser) -> bool:
    limit = get_limit(user)
    return user.is_superuser and (limit is None or (limit.project is None and limit.role is Role.PRODUCT))


def list_people(project_id: int) -> list[str]:
    """The names of the active users who may see a project's topologies."""
    sees = Q(is_superuser=True) | Q(grants__project=project_id) | Q(groups__grants__project=project_id)
    users = get_user_model().objects.filter(sees, is_active=True)
    return list(users.order_by("username").values_list("username", flat=True).distinct())


def refuse(user: AbstractUser, need: Need, names: Iterable[tuple[str, Any]]) -> None:
    """Raises RoleMissing if a user lacks a need, and NotFound if they may not even know that the thing exists.

    Example: `refuse(ann, OPERATOR, [("job_id", 7)])`.
    """
    if need.is_personal and get_limit(user) is not None:
        raise RoleMissing("A token may not do this.", "Sign in with a browser.")
    if need.role is None:
        return
    if need.is_anywhere:
        _refuse_anywhere(user, need)
        return
    roles = find_roles(user)
    places = [_find_place(name, value) for name, value in names if name in PLACES and value is not None]
    for project, refusal in places:
        if project.id not in roles:
            raise refusal
    for project in [project for project, _ in places] or [get_default_project()]:
        role = roles.get(project.id)
        if role is None or role < need.role:
            _refuse_token(user, need.role, project)
            raise _make_role_missing(need.role, role, project, find_administrators(project))


def refuse_work(user_id: int | None, need: Need, names: Iterable[tuple[str, Any]]) -> None:
    """Raises RoleMissing if work must not go on in the name of a user: they lack its need now, or may not sign in.

    Whatever outlives the request that began it asks again at each step. A job asks nothing: it is its project's.

    Example: `refuse_work(proof.started_by_id, EDITOR, [("job_id", 7)])`.
    """
    user = get_user_model().objects.filter(pk=user_id or 0).first()
    try:
        if isinstance(user, AbstractUser) and user.is_active:
            refuse(user, need, names)
            return
    except (RoleMissing, NotFound):
        pass  # their next step is not that of who reads this
    name = user or "the user who began it"
    raise RoleMissing(f"It ended, because {name} may no longer do this.", "Begin it again as another user.")


def explain_lack(user: AbstractUser, need: Need) -> str:
    """Why a user lacks a need without a project, and the next step. Empty if they have it."""
    try:
        refuse(user, need, ())
    except RoleMissing as refusal:
        return f"{refusal.message} {refusal.hint}"
    return ""


def explain_missing_roles(project: Project | None, role: Role | None) -> dict[RoleName, str]:
    """Why a user with `role` in a project, or at most with it in any, lacks each higher role, and the next step."""
    administrators = find_administrators(project)
    higher = [need for need in Role if (role or 0) < need < Role.PRODUCT]
    refusals = {need.word: _make_role_missing(need, role, project, administrators) for need in higher}
    return {word: f"{refusal.message} {refusal.hint}" for word, refusal in refusals.items()}


def find_administrators(project: Project | None) -> list[str]:
    """Users who give roles in a project, by name: its own administrators, else those of the product."""
    active = get_user_model().objects.filter(is_active=True).order_by("username")
    grants = Grant.objects.filter(project=project, role=Role.ADMINISTRATOR)
    own = active.filter(Q(grants__in=grants) | Q(groups__grants__in=grants)).distinct()
    names = own.values_list("username", flat=True)[:MAX_ADMINISTRATORS] if project is not None else []
    return list(names) or list(active.filter(is_superuser=True).values_list("username", flat=True)[:MAX_ADMINISTRATORS])


def name_administrators(names: Sequence[str] | None = None) -> str:
    """The people to ask, in a sentence: those of the product unless others are named."""
    return " or ".join(find_administrators(None) if names is None else names) or "the owner of the server"


def _refuse_anywhere(user: AbstractUser, need: Need) -> None:
    assert need.role is not None
    if need.role is Role.PRODUCT:
        has_role = is_product_administrator(user)
    else:
        has_role = any(role >= need.role for role in find_roles(user).values())
    by_permission = need.permission and get_limit(user) is None and user.has_perm(need.permission)
    if not has_role and not by_permission:
        _refuse_token(user, need.role, None)
        raise _make_role_missing(need.role, None, None, find_administrators(None))


def _refuse_token(user: AbstractUser, need: Role, project: Project | None) -> None:
    """Raises RoleMissing if the user has the role in a project, or in any, and only the request's token lacks it."""
    limit, roles = get_limit(user), _find_own_roles(user)
    own = roles.values() if project is None else [roles.get(project.id, 0)]
    if limit is None or max(own, default=0) < need:
        return
    if limit.role >= need:
        raise RoleMissing(
            f"The token `{limit.name}` is for one project, and this is outside of it.",
            "Create a token for all your projects on the page Tokens.",
        )
    raise RoleMissing(
        f"The token `{limit.name}` gives at most the role {limit.role.word}, and this needs the role {need.word}.",
        f"Create a token with the role {need.word} on the page Tokens.",
    )


def _find_place(name: str, value: Any) -> tuple[Project, NotFound]:
    """The project of the thing that a request names, and the refusal for users who may not see it.

    It also refuses an id that is not a number, before any parser sees it.
    """
    what, lookup = PLACES[name]
    text = str(value)[:80]
    refusal = NotFound(f"There is no {what} {text}.", "It may have been deleted, or you have no role in its project.")
    is_plain = isinstance(value, str | int) and not isinstance(value, bool)
    is_number = is_plain and what != "project" and text.isascii() and text.isdecimal()
    is_name = what == "project" and is_writable(text)
    project = Project.objects.filter(**{lookup: text}).first() if is_name or is_number else None
    if project is None:
        raise refusal
    return project, refusal


def _make_role_missing(
    need: Role, role: Role | None, project: Project | None, administrators: Sequence[str]
) -> RoleMissing:
    """The refusal for a user with `role` in a project, or for one who needs it in any."""
    people = name_administrators(administrators)
    wanted = _with_article(need.word)
    if project is None:
        place = "" if need is Role.PRODUCT else " of a project"
        return RoleMissing(f"Only {wanted}{place} can do this.", f"Ask {people} to make you one.")
    present = f"you are {_with_article(role.word)} there" if role else "you have no role there"
    return RoleMissing(
        f"Only {wanted} of the project `{project}` can do this, and {present}.", f"Ask {people} to make you one."
    )


def _with_article(role: RoleName) -> str:
    return f"{'an' if role[0] in 'aeio' else 'a'} {role}"
