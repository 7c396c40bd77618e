"""The site of docs/ at /docs, for signed-in users."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.views.static import serve

INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def serve_docs(request: HttpRequest, name: str | None = None) -> HttpResponseBase:
    """A file of the site. A folder shows its `index.html`. Raises Http404."""
    site = Path(settings.SITE)
    if name is None:
        return HttpResponseRedirect("/docs/")
    if not (site / "index.html").exists():
        return HttpResponse("The documentation is not built yet. Run `make docs`, which builds it.", status=503)
    path = f"{name}index.html" if not name or name.endswith("/") else name
    answer = serve(request, path, document_root=str(site))
    return _allow_scripts(answer) if isinstance(answer, FileResponse) and path.endswith(".html") else answer


def _allow_scripts(answer: FileResponse) -> HttpResponse:
    """The page with a policy that allows only its own scripts. MkDocs Material writes some into it."""
    content = answer.getvalue()
    hashes = [f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in INLINE_SCRIPT.findall(content)]
    page = HttpResponse(content, headers={name: answer[name] for name in ("Content-Type", "Last-Modified")})
    page._csp_update = {"script-src": hashes}  # type: ignore[attr-defined]  # as csp.decorators.csp_update does
    return page
