"""Users, groups and projects over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.models import Group
from django.db.models import Count, Prefetch, QuerySet
from django.http import HttpRequest
from ninja import Field, Schema, Status

from designer.projects import projects
from designer.projects.models import Grant, Project
from designer.projects.permissions import find_roles
from designer.projects.requests import get_user
from designer.projects.roles import ADMINISTRATOR, ANY_ACCOUNT, IN_PERSON, PRODUCT, Role, get_role
from designer.projects.routing import Router
from designer.projects.schemas import RequestBody
from webapp.accounts import people
from webapp.accounts.models import User
from webapp.accounts.throttle import count_try, take_back
from webapp.codes import WebCode

router = Router(tags=["users"])
GivenRole = Literal["viewer", "editor", "operator", "administrator"]


class UserOut(Schema):
    """Who signs in. `has_provider`: the OpenID Connect provider signs them in, without a password."""

    id: int
    name: str
    is_active: bool
    is_product_administrator: bool
    has_provider: bool
    groups: list[str]
    last_login: datetime | None

    @classmethod
    def of(cls, user: User) -> UserOut:
        return cls(
            id=user.pk,
            name=user.username,
            is_active=user.is_active,
            is_product_administrator=user.is_superuser,
            has_provider=not user.has_usable_password(),
            groups=sorted(group.name for group in user.groups.all()),
            last_login=user.last_login,
        )


class UserIn(RequestBody):
    """Without a password the OpenID Connect provider signs in the person whom it knows by `subject`, its claim `sub`.

    Without a subject, it is the person with that name as an e-mail address, if the provider has verified it.
    """

    name: str = Field(max_length=150)
    password: str | None = Field(None, max_length=1_000)
    subject: str = Field("", max_length=255)
    is_product_administrator: bool = False
    groups: list[str] = []


class UserChange(RequestBody):
    """What is left out stays as it is. `has_provider` takes the password away; a password takes `has_provider` away.

    `subject` is that of a new user, and goes with `has_provider`.
    """

    is_active: bool | None = None
    is_product_administrator: bool | None = None
    groups: list[str] | None = None
    has_provider: Literal[True] | None = None
    subject: str = Field("", max_length=255)
    password: str | None = Field(None, max_length=1_000)


class PasswordIn(RequestBody):
    old: str = Field(max_length=1_000)
    new: str = Field(max_length=1_000)


class GroupOut(Schema):
    name: str
    members: int


class GroupIn(RequestBody):
    name: str


class ProjectIn(RequestBody):
    name: str


class PrivateFieldsIn(RequestBody):
    """Names of fields, at any depth of a value. `key` is the key of a record."""

    fields: list[Annotated[str, Field(max_length=200)]] = Field(max_length=200)


class HolderOut(Schema):
    """A user or a group with a role in a project; the other name is empty."""

    user: str
    group: str
    role: GivenRole


class ProjectPeopleOut(Schema):
    name: str
    topologies: int
    holders: list[HolderOut]
    private_fields: list[str] = Field(
        description="Fields whose values become others when real records are kept as test cases."
    )

    @classmethod
    def of(cls, project: Project) -> ProjectPeopleOut:
        return cls.list_all(Project.objects.filter(id=project.id))[0]

    @classmethod
    def list_all(cls, projects: QuerySet[Project]) -> list[ProjectPeopleOut]:
        """Three queries, however many projects there are."""
        grants = Grant.objects.select_related("user", "group").order_by("user__username", "group__name")
        counted = projects.annotate(topology_count=Count("topologies")).prefetch_related(Prefetch("grants", grants))
        return [
            cls.model_validate(
                {
                    "name": project.name,
                    "topologies": project.topology_count,
                    "holders": [
                        {
                            "user": grant.user.get_username() if grant.user else "",
                            "group": grant.group.name if grant.group else "",
                            "role": Role(grant.role).word,
                        }
                        for grant in project.grants.all()
                    ],
                    "private_fields": project.private_fields,
                }
            )
            for project in counted
        ]


class HolderIn(RequestBody):
    """A user or a group by name, and the new role. Null removes the role."""

    user: str = ""
    group: str = ""
    role: GivenRole | None


@router.get("/users", needs=PRODUCT, response=list[UserOut], summary="List all users")
def list_users(request: HttpRequest) -> list[UserOut]:
    return [UserOut.of(user) for user in User.objects.prefetch_related("groups").order_by("username")]


@router.post(
    "/users",
    needs=PRODUCT,
    audit="add a user",
    refuses=[WebCode.PASSWORD_REFUSED],
    response={201: UserOut},
    summary="Create a user",
)
def create_user(request: HttpRequest, body: UserIn) -> Status[UserOut]:
    user = people.create_user(
        name=body.name,
        password=body.password,
        is_product_administrator=body.is_product_administrator,
        groups=body.groups,
        by=get_user(request),
        subject=body.subject,
    )
    return Status(201, UserOut.of(user))


@router.patch(
    "/users/{int:user_id}",
    needs=PRODUCT,
    audit="change a user",
    refuses=[WebCode.PASSWORD_REFUSED],
    response=UserOut,
    summary="Activate, deactivate, reset a password, choose groups",
)
def change_user(request: HttpRequest, user_id: int, body: UserChange) -> UserOut:
    user = people.change_user(
        user=people.get_user(user_id),
        by=get_user(request),
        is_active=body.is_active,
        is_product_administrator=body.is_product_administrator,
        groups=body.groups,
        password=body.password,
        has_provider=body.has_provider is True,
        subject=body.subject,
    )
    return UserOut.of(user)


@router.put(
    "/password",
    needs=IN_PERSON,
    audit="change a password",
    refuses=[WebCode.LOGIN_TOO_MANY, WebCode.LOGIN_UNAVAILABLE, WebCode.PASSWORD_REFUSED],
    response={204: None},
    summary="Change your password",
)
def change_password(request: HttpRequest, body: PasswordIn) -> Status[None]:
    """Guessing the old one is slowed down as at the sign-in."""
    user = get_user(request)
    assert isinstance(user, User)
    count_try(request, user.username)
    people.change_password(user=user, old=body.old, new=body.new)
    take_back(request, user.username)
    update_session_auth_hash(request, user)
    return Status(204, None)


@router.get(
    "/groups", needs=ADMINISTRATOR.anywhere, response=list[GroupOut], summary="Groups that roles can be given to"
)
def list_groups(request: HttpRequest) -> Any:
    return Group.objects.annotate(members=Count("user")).order_by("name")


@router.post("/groups", needs=PRODUCT, audit="add a group", response={201: GroupOut}, summary="Create a group")
def create_group(request: HttpRequest, body: GroupIn) -> Status[GroupOut]:
    return Status(201, GroupOut(name=people.create_group(name=body.name, by=get_user(request)).name, members=0))


@router.delete(
    "/groups/{name}",
    needs=PRODUCT,
    audit="delete a group",
    response={204: None},
    summary="Delete a group, and the roles that it gave",
)
def delete_group(request: HttpRequest, name: str) -> Status[None]:
    people.delete_group(name=name, by=get_user(request))
    return Status(204, None)


@router.get(
    "/projects",
    needs=ANY_ACCOUNT,
    response=list[ProjectPeopleOut],
    summary="The projects you administer, with who may do what",
)
def list_projects(request: HttpRequest) -> list[ProjectPeopleOut]:
    project_ids = [project for project, role in find_roles(get_user(request)).items() if role >= Role.ADMINISTRATOR]
    return ProjectPeopleOut.list_all(Project.objects.filter(id__in=project_ids))


@router.post(
    "/projects", needs=PRODUCT, audit="add a project", response={201: ProjectPeopleOut}, summary="Create a project"
)
def create_project(request: HttpRequest, body: ProjectIn) -> Status[ProjectPeopleOut]:
    return Status(201, ProjectPeopleOut.of(projects.create_project(name=body.name, by=get_user(request))))


@router.delete(
    "/projects/{project}",
    needs=PRODUCT,
    audit="delete a project",
    response={204: None},
    summary="Delete a project without topologies",
)
def delete_project(request: HttpRequest, project: str) -> Status[None]:
    projects.delete_project(project=projects.get_project(project), by=get_user(request))
    return Status(204, None)


@router.put(
    "/projects/{project}/private-fields",
    needs=ADMINISTRATOR,
    audit="set private fields",
    response=ProjectPeopleOut,
    summary="Name the fields that test cases from real records must not show",
)
def set_private_fields(request: HttpRequest, project: str, body: PrivateFieldsIn) -> ProjectPeopleOut:
    """They become other values of the same type. Test cases that are there already do not change."""
    chosen_project = projects.get_project(project)
    projects.set_private_fields(project=chosen_project, fields=body.fields, by=get_user(request))
    return ProjectPeopleOut.of(chosen_project)


@router.put(
    "/projects/{project}/roles",
    needs=ADMINISTRATOR,
    audit="change roles",
    response=ProjectPeopleOut,
    summary="Give or remove a role",
)
def give_role(request: HttpRequest, project: str, body: HolderIn) -> ProjectPeopleOut:
    chosen_project = projects.get_project(project)
    role = get_role(body.role) if body.role else None
    projects.give_role(project=chosen_project, user=body.user, group=body.group, role=role, by=get_user(request))
    return ProjectPeopleOut.of(chosen_project)
