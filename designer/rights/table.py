"""What each request needs: the one table of rights. A route, socket or command without a row here is refused.

A new route needs one line: `"POST /topologies/{topology_id}/alerts": OPERATOR`. The path says in which project;
`designer.rights.needs` says what else may name it.
"""

from __future__ import annotations

from designer.rights.needs import (
    ADMINISTRATOR,
    CLUSTERS,
    EDITOR,
    IN_PERSON,
    OPERATOR,
    PRODUCT,
    PUBLIC,
    SIGNED_IN,
    VIEWER,
    Need,
)

HTTP: dict[str, Need | None] = {
    "GET /": PUBLIC,
    "GET /openapi.json": PUBLIC,
    # who asks
    "GET /rights": SIGNED_IN,
    "GET /tokens": IN_PERSON,
    "POST /tokens": IN_PERSON,
    "DELETE /tokens/{token_id}": IN_PERSON,
    "PUT /password": IN_PERSON,
    # people; project administrators give roles in their project
    "GET /users": PRODUCT,
    "POST /users": PRODUCT,
    "PATCH /users/{user_id}": PRODUCT,
    "GET /groups": ADMINISTRATOR.anywhere,
    "POST /groups": PRODUCT,
    "DELETE /groups/{name}": PRODUCT,
    "GET /projects": SIGNED_IN,
    "POST /projects": PRODUCT,
    "DELETE /projects/{project}": PRODUCT,
    "PUT /projects/{project}/roles": ADMINISTRATOR,
    # what is the same for everybody
    "GET /operators": SIGNED_IN,
    "GET /gallery": SIGNED_IN,
    "GET /expressions/functions": SIGNED_IN,
    "POST /expressions/check": SIGNED_IN,
    "POST /check": SIGNED_IN,
    "POST /descriptions/read": SIGNED_IN,
    "GET /jobs/settings-schema": SIGNED_IN,
    "GET /jobs/streams-settings": SIGNED_IN,
    # topologies; lists hold what one may see
    "GET /topologies": SIGNED_IN,
    "POST /topologies": EDITOR.named_by("project"),
    "POST /topologies/import": EDITOR.named_by("project"),
    "GET /topologies/{topology_id}": VIEWER,
    "PATCH /topologies/{topology_id}": EDITOR,
    "DELETE /topologies/{topology_id}": EDITOR,
    "PUT /topologies/{topology_id}/project": ADMINISTRATOR.named_by("project"),
    "GET /topologies/{topology_id}/draft": VIEWER,
    "PUT /topologies/{topology_id}/draft": EDITOR,
    "GET /topologies/{topology_id}/versions": VIEWER,
    "POST /topologies/{topology_id}/versions": EDITOR,
    "GET /topologies/{topology_id}/differences": VIEWER,
    "GET /topologies/{topology_id}/export": VIEWER,
    "GET /topologies/{topology_id}/program": VIEWER,
    "GET /topologies/{topology_id}/java": VIEWER,
    "GET /topologies/{topology_id}/cluster": VIEWER,
    "PUT /topologies/{topology_id}/cluster": EDITOR,
    "GET /topologies/{topology_id}/cases": VIEWER,
    "POST /topologies/{topology_id}/cases": EDITOR,
    "PATCH /topologies/{topology_id}/cases/{case_id}": EDITOR,
    "DELETE /topologies/{topology_id}/cases/{case_id}": EDITOR,
    "POST /topologies/{topology_id}/cases/run": EDITOR,
    "POST /trials": EDITOR.anywhere,
    "GET /versions/{version_id}": VIEWER,
    "GET /versions/{version_id}/export": VIEWER,
    # jobs
    "GET /jobs": SIGNED_IN,
    "GET /jobs/deleted": SIGNED_IN,
    "GET /live": SIGNED_IN,
    "POST /jobs/preview-deploy": VIEWER.named_by("topology", "version"),
    "POST /jobs/deploy": OPERATOR.named_by("topology", "version"),
    "GET /jobs/{job_id}": VIEWER,
    "DELETE /jobs/{job_id}": OPERATOR,
    "POST /jobs/{job_id}/stop": OPERATOR,
    "POST /jobs/{job_id}/restart": OPERATOR,
    "POST /jobs/{job_id}/kill-run": OPERATOR,
    "GET /jobs/{job_id}/runs": VIEWER,
    "GET /jobs/{job_id}/disk": VIEWER,
    "GET /jobs/{job_id}/events": VIEWER,
    "GET /jobs/{job_id}/live": VIEWER,
    "GET /jobs/{job_id}/history": VIEWER,
    "GET /jobs/{job_id}/tables": VIEWER,
    "GET /jobs/{job_id}/tables/{store}": VIEWER,
    # clusters and hosts belong to no project
    "GET /clusters": VIEWER.anywhere,
    "POST /clusters": CLUSTERS,
    "PUT /clusters/{name}": CLUSTERS,
    "DELETE /clusters/{name}": CLUSTERS,
    "POST /clusters/{name}/check": VIEWER.anywhere,
    "GET /clusters/{name}/topics": VIEWER.anywhere,
    "POST /clusters/{name}/topics": OPERATOR.anywhere,
    "GET /clusters/{name}/topics/{topic}": VIEWER.anywhere,
    "POST /clusters/{name}/topic-issues": VIEWER.anywhere,
    "GET /spark-clusters": VIEWER.anywhere,
    "POST /spark-clusters": CLUSTERS,
    "PUT /spark-clusters/{name}": CLUSTERS,
    "DELETE /spark-clusters/{name}": CLUSTERS,
    "POST /spark-clusters/{name}/check": OPERATOR.anywhere,
    "GET /hosts": VIEWER.anywhere,
    "POST /hosts/{name}/drain": CLUSTERS,
    "POST /hosts/{name}/take-back": CLUSTERS,
    "DELETE /hosts/{name}": CLUSTERS,
    "GET /sample-feed": SIGNED_IN,
    "PATCH /sample-feed": OPERATOR.anywhere,
    "POST /sample-feed/broken": OPERATOR.anywhere,
}

SOCKETS: dict[str, Need] = {
    "/ws/jobs/{job_id}/": VIEWER,
    "/ws/jobs/{job_id}/dead-letters/": VIEWER,
    "/ws/jobs/{job_id}/log/": VIEWER,
    "/ws/clusters/{cluster}/topics/{topic}/": VIEWER.anywhere,
}

SERVER = None
"""Open to everybody who may start processes on the server."""

COMMANDS: dict[str, Need | None] = {
    "agent": SERVER,
    "allow_clusters": SERVER,
    "allow_code": SERVER,
    "drive": SERVER,
    "feed": SERVER,
    "load": SERVER,
    "login_url": SERVER,
    "try": SERVER,  # tries a file without Postgres
    "up": SERVER,
    "status": VIEWER,
    "watch": VIEWER,
    "describe": VIEWER,
    "diff": VIEWER,
    "export": VIEWER,
    "import": EDITOR,
    "deploy": OPERATOR,
    "deploy-sample": OPERATOR,
    "stop": OPERATOR,
    "hosts": CLUSTERS,
}
