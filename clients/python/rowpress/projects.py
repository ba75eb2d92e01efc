"""Projects: a PDF and a sealed package that the server keeps under a name, with versions."""

from __future__ import annotations

import json
import uuid
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, cast
from urllib.parse import quote

from .encoding import multipart_body
from .sources import Body, FileBody, JoinedBody, Source
from .transport import Progress, Reply, Transport

_SURFACE = "bulkfill"
_PROJECTS = "/v1/bulkfill/projects"


class Projects:
    """``rp.bulkfill.projects``. Use a project with ``rp.bulkfill.create_and_wait(project="Invoice", rows=…)``."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        name: str,
        pdf: Source,
        package: Optional[Source] = None,
        layout: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        on_progress: Optional[Progress] = None,
    ) -> Dict[str, Any]:
        """Stores a PDF with a sealed ``package``, or with a ``layout`` that the server seals."""
        reply = self._transport.call(
            _SURFACE,
            "POST",
            _PROJECTS,
            headers={"Idempotency-Key": idempotency_key or f"py-{uuid.uuid4()}"},
            body=_form(name, pdf, package, layout),
            on_progress=on_progress,
        )
        return cast(Dict[str, Any], reply.json())

    def update(
        self,
        project_id: str,
        *,
        if_version: Optional[int] = None,
        name: Optional[str] = None,
        pdf: Optional[Source] = None,
        package: Optional[Source] = None,
        layout: Optional[Mapping[str, Any]] = None,
        on_progress: Optional[Progress] = None,
    ) -> Dict[str, Any]:
        """Saves the next version; parts that are not passed stay.

        With ``if_version``, the update is repeated after a lost connection: if the latest version is another one by
        then, the error is ``PRECONDITION_FAILED``, and :meth:`get` shows whether yours was saved. Without it, a
        lost connection is an error at once, because a repetition could save a second version.
        """
        reply = self._transport.call(
            _SURFACE,
            "PUT",
            _path(project_id),
            headers=_if_match(if_version),
            body=_form(name, pdf, package, layout),
            repeatable=if_version is not None,
            on_progress=on_progress,
        )
        return cast(Dict[str, Any], reply.json())

    def list(self, *, limit: Optional[int] = None) -> Iterator[Dict[str, Any]]:
        """Iterates over the latest version of every project, newest first."""
        return self._pages(_PROJECTS, limit)

    def versions(self, project_id: str, *, limit: Optional[int] = None) -> Iterator[Dict[str, Any]]:
        return self._pages(f"{_path(project_id)}/versions", limit)

    def get(self, project_id: str, *, version: Optional[int] = None) -> Dict[str, Any]:
        return cast(Dict[str, Any], self._get(_path(project_id), version).json())

    def delete(self, project_id: str, *, if_version: Optional[int] = None) -> None:
        """Deletes all versions. Accepted jobs still run."""
        self._transport.call(_SURFACE, "DELETE", _path(project_id), headers=_if_match(if_version))

    def pdf(self, project_id: str, *, version: Optional[int] = None) -> bytes:
        return self._get(f"{_path(project_id)}/pdf", version).data

    def package(self, project_id: str, *, version: Optional[int] = None) -> bytes:
        return self._get(f"{_path(project_id)}/package", version).data

    def row_schema(self, project_id: str, *, version: Optional[int] = None) -> Dict[str, Any]:
        """Returns the JSON Schema of one row, keyed by labels."""
        return cast(Dict[str, Any], self._get(f"{_path(project_id)}/row-schema", version).json())

    def sample_csv(self, project_id: str, *, version: Optional[int] = None) -> str:
        """Returns a CSV with the labels as header and one example row."""
        return self._get(f"{_path(project_id)}/sample.csv", version).data.decode("utf-8-sig")

    def page_png(
        self,
        project_id: str,
        *,
        page: Optional[int] = None,
        width: Optional[int] = None,
        version: Optional[int] = None,
    ) -> bytes:
        return self._get(f"{_path(project_id)}/page.png", version, {"page": page, "width": width}).data

    def _get(self, path: str, version: Optional[int], query: Optional[Mapping[str, Any]] = None) -> Reply:
        return self._transport.call(_SURFACE, "GET", path, query={"version": version, **(query or {})})

    def _pages(self, path: str, limit: Optional[int]) -> Iterator[Dict[str, Any]]:
        cursor: Optional[str] = None
        while True:
            page = self._transport.call(_SURFACE, "GET", path, query={"limit": limit, "cursor": cursor}).json()
            yield from page["data"]
            cursor = page.get("next_cursor")
            if cursor is None:
                return


def _path(project_id: str) -> str:
    return f"{_PROJECTS}/{quote(project_id, safe='')}"


def _if_match(version: Optional[int]) -> Dict[str, str]:
    return {} if version is None else {"If-Match": f'"{int(version)}"'}


def _form(
    name: Optional[str], pdf: Optional[Source], package: Optional[Source], layout: Optional[Mapping[str, Any]]
) -> JoinedBody:
    fields: List[Tuple[str, str]] = [] if name is None else [("name", name)]
    files: List[Tuple[str, Body, str]] = []
    if layout is not None:
        text = json.dumps(dict(layout), ensure_ascii=False).encode("utf-8")
        files.append(("layout", FileBody(text, "layout.json", "application/json"), "layout.json"))
    for field, source, file_name in (("pdf", pdf, "source.pdf"), ("doqlo_file", package, "layout.doqlo")):
        if source is not None:
            body = FileBody(source, file_name)
            files.append((field, body, body.file_name))
    return multipart_body(fields, files)
